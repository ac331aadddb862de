# The page and the service (docs/service.md). Build and run:
#   docker build -t unisono .
#   docker run --rm -p 127.0.0.1:8417:8417 -e UNISONO_TOKEN=a-long-secret unisono
# then open http://127.0.0.1:8417/?token=a-long-secret. What is sent stays in the container and is deleted with it.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir "$(ls /wheels/unisono-*.whl)[web,tables]" && rm -rf /wheels
RUN useradd --create-home unisono
USER unisono
WORKDIR /home/unisono
EXPOSE 8417
CMD exec unisono serve --no-browser --host 0.0.0.0 --port 8417 --token "${UNISONO_TOKEN:?set UNISONO_TOKEN to a secret of 8 or more characters}"
