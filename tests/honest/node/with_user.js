// Asks for the user and the folder for temporary files, then plays.
const fs = require("fs");
const os = require("os");
const path = require("path");

if (!os.userInfo().username || !os.homedir()) throw new Error("no user");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turn-"));
fs.rmSync(folder, { recursive: true });
require("./plain.js");
