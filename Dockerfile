# rearc serve in a container:
#
#     docker build -t rearc .
#     docker run --rm -p 127.0.0.1:8000:8000 rearc
#
# Its steps are the scripts in docker/, which .ci/run takes too, without Docker. Asked under another name than localhost,
# the service needs it: docker run … rearc --allow-host parser.example.org
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
COPY . /source
RUN /source/docker/build /source /wheels

FROM python:3.13-slim
COPY docker /docker
COPY --from=build /wheels /wheels
RUN /docker/install /wheels && rm -r /wheels
RUN useradd --create-home rearc
USER rearc
WORKDIR /home/rearc
RUN python /docker/check.py
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=5)"]
ENTRYPOINT ["rearc", "serve", "--host", "0.0.0.0"]
