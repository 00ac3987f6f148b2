# A worker in a container: Node and the package that `npm pack` wrote here, nothing else. Nothing is downloaded but the image of
# Node. docs/installation.md says how to run it.
FROM node:22-slim
COPY annals-*.tgz /tmp/annals.tgz
RUN npm install --global --offline --ignore-scripts /tmp/annals.tgz && rm -rf /tmp/annals.tgz /root/.npm
USER node
RUN mkdir -m 700 /home/node/.annals
VOLUME /home/node/.annals
CMD ["annals", "worker", "run"]
