// In place of @vscode/spdlog, which is compiled: the editor's log files, which its Output channels show.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const LEVELS = {
	trace: "trace",
	debug: "debug",
	info: "info",
	warn: "warning",
	error: "error",
	critical: "critical",
};

class Logger {
	constructor(path) {
		mkdirSync(dirname(path), { recursive: true });
		this.path = path;
		this.isPlain = false;
	}
	clearFormatters() {
		this.isPlain = true;
	}
	write(level, text) {
		const time = new Date().toISOString().replace("T", " ").replace("Z", "");
		appendFileSync(this.path, this.isPlain ? text : `${time} [${level}] ${text}\n`);
	}
	setPattern() {}
	setLevel() {}
	flush() {}
	drop() {}
}

for (const [name, level] of Object.entries(LEVELS))
	Logger.prototype[name] = function (text) {
		this.write(level, text);
	};

exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (_name, path) => new Logger(path);
exports.createAsyncRotatingLogger = async (_name, path) => new Logger(path);
