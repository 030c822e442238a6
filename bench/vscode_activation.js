// Stands before the extension and notes how much processor time its own loading and activation take, in milliseconds.
const { appendFileSync } = require("node:fs");
const { join } = require("node:path");

const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const before = spent();
const extension = require("./bascule.js");
const loaded = spent() - before;

exports.activate = (context) => {
  const begun = spent();
  extension.activate(context);
  const line = JSON.stringify({ load_ms: loaded, activate_ms: spent() - begun });
  appendFileSync(join(__dirname, "activations.jsonl"), `${line}\n`);
};
