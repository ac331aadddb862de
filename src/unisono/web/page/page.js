// SPDX-License-Identifier: MIT
// The smallest page that works: send files, follow the job, show the values.
const api = "/api/v1";
const status = document.getElementById("status");
const output = document.getElementById("result");

async function answer(response) {
  const body = await response.json();
  if (response.ok) return body;
  throw new Error(body.problems.map((p) => [p.where, p.expected, p.found, p.remedy].filter(Boolean).join("; ")).join("\n"));
}

function shown(measures) {
  return Object.entries(measures).map(([name, v]) => `${name}  ${v.value === null ? v.reason : v.value.toFixed(4)}`).join("\n");
}

async function measure(upload) {
  status.textContent = upload.understood;
  if (!upload.readable) {
    output.textContent = upload.problems.map((p) => `${p.where} ${p.expected}; ${p.found}; ${p.remedy}`).join("\n");
    return;
  }
  const job = await answer(await fetch(`${api}/measure`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ upload: upload.id, wait: false }),
  }));
  const events = new EventSource(`${api}/jobs/${job.id}/events`);
  events.addEventListener("estimate", (e) => { output.textContent = shown(JSON.parse(e.data).measures); });
  events.addEventListener("result", (e) => {
    const result = JSON.parse(e.data);
    output.textContent = `${shown(result.measures)}\n\n${result.signature}`;
  });
  for (const end of ["done", "failed", "cancelled"]) {
    events.addEventListener(end, (e) => {
      events.close();
      if (end === "failed") output.textContent = JSON.parse(e.data).problems.map((p) => p.expected).join("\n");
    });
  }
}

async function run(request) {
  output.textContent = "";
  try {
    await measure(await answer(await request()));
  } catch (error) {
    status.textContent = error.message;
  }
}

document.getElementById("send").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  run(() => fetch(`${api}/uploads`, { method: "POST", body: form }));
});
document.getElementById("sample").addEventListener("click", () => run(() => fetch(`${api}/samples/entities`, { method: "POST" })));
