// Peer dependencies count for nothing, as with npm's `--legacy-peer-deps`: with them, n8n-core would be installed three times.
const readPackage = ({ peerDependencies, peerDependenciesMeta, ...manifest }) => manifest;

module.exports = { hooks: { readPackage } };
