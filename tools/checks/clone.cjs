// As clone.mjs, for a project whose checks are CommonJS.
const { join } = require('node:path');

module.exports = require(join(process.env['ASSAY_SUITE'] ?? '', 'tools/checks/index.js'));
