// In place of @vscode/spdlog, which is compiled: the editor's log files, which its Output channels show.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

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
	trace(text) {
		this.write("trace", text);
	}
	debug(text) {
		this.write("debug", text);
	}
	info(text) {
		this.write("info", text);
	}
	warn(text) {
		this.write("warning", text);
	}
	error(text) {
		this.write("error", text);
	}
	critical(text) {
		this.write("critical", text);
	}
	setPattern() {}
	setLevel() {}
	flush() {}
	drop() {}
}

exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (_name, path) => new Logger(path);
exports.createAsyncRotatingLogger = async (_name, path) => new Logger(path);
