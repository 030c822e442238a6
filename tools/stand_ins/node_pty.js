// In place of node-pty, which is compiled: a shell at a terminal that Python opens; its size never changes.
const { spawn } = require("node:child_process");

const OPEN = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";

exports.spawn = (file, words, { cwd, env }) => {
	const list = Array.isArray(words) ? words : [words];
	const child = spawn("python3", ["-I", "-c", OPEN, file, ...list], { cwd, env });
	child.stdout.setEncoding("utf8");
	return {
		pid: child.pid,
		process: file,
		onData: (hear) => {
			child.stdout.on("data", hear);
			return { dispose: () => child.stdout.off("data", hear) };
		},
		onExit: (hear) => {
			child.on("exit", (code) => hear({ exitCode: code ?? 1 }));
			return { dispose() {} };
		},
		write: (text) => child.stdin.write(text),
		kill: () => child.kill(),
		pause: () => child.stdout.pause(),
		resume: () => child.stdout.resume(),
		resize() {},
		clear() {},
	};
};
