// SPDX-License-Identifier: MIT
// Draws the curves of a benchmark from the data in the page. Names are only ever set as text, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const W = 640, H = 400, LEFT = 46, TOP = 12, BOTTOM = 42, APART = 15;
  const RIGHT = 24 + Math.min(200, 7.5 * Math.max(...data.symbols.map((name) => name.length)));
  const x = (m) => LEFT + m * (W - LEFT - RIGHT);
  const y = (v) => TOP + (data.high - v) / (data.high - data.low) * (H - TOP - BOTTOM);
  const shown = data.symbols.map(() => true);
  const charts = [];

  function element(parent, name, attributes = {}, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return parent.appendChild(made);
  }

  // Stretches of neighbouring points that all have what is asked for: a curve has a gap where there is no value.
  function stretches(points, has) {
    const found = [];
    points.forEach((point, i) => {
      if (!has(point)) return;
      if (i === 0 || !has(points[i - 1])) found.push([]);
      found[found.length - 1].push(point);
    });
    return found;
  }

  function steps() {
    const size = [0.1, 0.2, 0.5, 1, 2, 5, 10].find((s) => (data.high - data.low) / s <= 12) || 20;
    const found = [];
    for (let i = Math.ceil(data.low / size); i * size <= data.high; i++) found.push(i * size);
    return found;
  }

  // Heights as near to those wanted as can be, each at least APART from the next.
  function spread(ends) {
    const order = ends.slice().sort((a, b) => a.wanted - b.wanted);
    const pools = [];
    order.forEach((end, rank) => {
      pools.push([end.wanted - rank * APART]);
      const mean = (pool) => pool.reduce((a, b) => a + b) / pool.length;
      while (pools.length > 1 && mean(pools[pools.length - 2]) > mean(pools[pools.length - 1])) {
        const last = pools.pop();
        pools[pools.length - 1].push(...last);
      }
    });
    const levels = pools.flatMap((pool) => pool.map(() => pool.reduce((a, b) => a + b) / pool.length));
    order.forEach((end, rank) => { end.height = levels[rank] + rank * APART; });
  }

  function draw(chart) {
    const { svg, curve } = chart;
    svg.replaceChildren();
    for (const v of steps()) {
      element(svg, "line", { class: "grid", x1: x(0), x2: x(1), y1: y(v), y2: y(v) });
      element(svg, "text", { x: LEFT - 8, y: y(v) + 4, "text-anchor": "end" }, String(Math.round(v * 100) / 100));
    }
    for (let i = 0; i <= 10; i += 2) {
      const m = i / 10;
      element(svg, "line", { class: "grid", x1: x(m), x2: x(m), y1: TOP, y2: H - BOTTOM });
      element(svg, "text", { x: x(m), y: H - BOTTOM + 18, "text-anchor": "middle" }, String(m));
    }
    element(svg, "line", { class: "zero", x1: x(0), x2: x(1), y1: y(0), y2: y(0) });
    element(svg, "text", { x: x(0.5), y: H - 6, "text-anchor": "middle" }, "magnitude");
    const ends = [];
    for (const response of curve.responses) {
      if (!shown[response.measure]) continue;
      const style = "s" + response.measure % data.styles;
      for (const part of stretches(response.points, (p) => p.low !== null)) {
        const there = part.map((p) => `${x(p.magnitude)},${y(p.high)}`);
        const back = part.map((p) => `${x(p.magnitude)},${y(p.low)}`).reverse();
        element(svg, "polygon", { class: "band " + style, points: [...there, ...back].join(" ") });
      }
      const known = response.points.filter((p) => p.mean !== null);
      for (const part of stretches(response.points, (p) => p.mean !== null)) {
        const points = part.map((p) => `${x(p.magnitude)},${y(p.mean)}`).join(" ");
        element(svg, "polyline", { class: "line " + style, points });
      }
      for (const p of known) {
        element(svg, "circle", { class: "dot " + style, cx: x(p.magnitude), cy: y(p.mean), r: 2.5 });
      }
      if (!known.length) continue;
      const last = known[known.length - 1];
      ends.push({ from: x(last.magnitude), wanted: y(last.mean), style, name: data.symbols[response.measure] });
    }
    spread(ends);
    for (const end of ends) {
      const lead = { x1: end.from, y1: end.wanted, x2: x(1) + 6, y2: end.height };
      if (end.from < x(1) || Math.abs(end.wanted - end.height) > 3) element(svg, "line", { class: "lead " + end.style, ...lead });
      element(svg, "text", { class: "end " + end.style, x: x(1) + 8, y: end.height + 4 }, end.name);
    }
    chart.guide = element(svg, "line", { class: "guide", y1: TOP, y2: H - BOTTOM, visibility: "hidden" });
  }

  function number(value) { return (Math.round(value * 1000) / 1000 + 0).toFixed(3); }

  function tell(chart, i) {
    chart.at = i;
    const { tip, guide, curve } = chart;
    const magnitude = data.magnitudes[i];
    guide.setAttribute("x1", x(magnitude));
    guide.setAttribute("x2", x(magnitude));
    guide.setAttribute("visibility", "visible");
    tip.replaceChildren();
    const head = tip.appendChild(document.createElement("div"));
    head.textContent = "magnitude " + magnitude;
    const table = tip.appendChild(document.createElement("table"));
    for (const response of curve.responses) {
      if (!shown[response.measure]) continue;
      const p = response.points[i];
      const row = table.insertRow();
      row.insertCell().textContent = data.symbols[response.measure];
      row.insertCell().textContent = p.mean === null ? "no value" : number(p.mean);
      row.insertCell().textContent = p.low === null ? p.reason || "" : `[${number(p.low)}, ${number(p.high)}]`;
      row.insertCell().textContent = "n " + p.n;
    }
    tip.hidden = false;
    const box = chart.svg.getBoundingClientRect();
    const scale = box.width / W;
    const place = x(magnitude) * scale;
    const right = place + 12 + tip.offsetWidth <= chart.figure.clientWidth;
    tip.style.left = `${right ? place + 12 : Math.max(0, place - 12 - tip.offsetWidth)}px`;
    tip.style.top = `${box.top - chart.figure.getBoundingClientRect().top + TOP * scale + 8}px`;
  }

  function hush(chart) {
    chart.tip.hidden = true;
    chart.guide.setAttribute("visibility", "hidden");
  }

  function nearest(chart, event) {
    const box = chart.svg.getBoundingClientRect();
    const m = ((event.clientX - box.left) / box.width * W - LEFT) / (W - LEFT - RIGHT);
    return data.magnitudes.reduce((best, found, i) => Math.abs(found - m) < Math.abs(data.magnitudes[best] - m) ? i : best, 0);
  }

  for (const curve of data.curves) {
    const figure = document.getElementById("charts").appendChild(document.createElement("figure"));
    const caption = figure.appendChild(document.createElement("figcaption"));
    caption.textContent = data.curves.length > 1 ? curve.name : "";
    const svg = element(figure, "svg", { viewBox: `0 0 ${W} ${H}`, tabindex: 0, role: "img",
      "aria-label": `Agreement against magnitude: ${curve.name}. The values are in the table of means below.` });
    const tip = figure.appendChild(document.createElement("div"));
    tip.className = "tip";
    tip.hidden = true;
    tip.setAttribute("aria-live", "polite");
    const chart = { svg, figure, tip, curve, at: 0 };
    charts.push(chart);
    draw(chart);
    svg.addEventListener("pointermove", (event) => tell(chart, nearest(chart, event)));
    svg.addEventListener("pointerleave", () => hush(chart));
    svg.addEventListener("blur", () => hush(chart));
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") hush(chart);
      if (!step) return;
      event.preventDefault();
      tell(chart, tip.hidden ? chart.at : Math.min(data.magnitudes.length - 1, Math.max(0, chart.at + step)));
    });
  }

  document.getElementById("measures").addEventListener("change", (event) => {
    shown[Number(event.target.value)] = event.target.checked;
    charts.forEach((chart) => { hush(chart); draw(chart); });
  });
})();
