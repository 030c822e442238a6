// In place of argon2, which is compiled: it hashes passwords, and there is none here.
module.exports = {};
