/** Checks what compiler, linter and formatter do not: the rules of this repository's own style. */

import { join } from 'node:path'
import { checkTree, wordReport } from './tidy/check.ts'

const report = checkTree(join(import.meta.dirname, '..'))
for (const line of wordReport(report)) console.log(line)
if (report.violations.length > 0) process.exitCode = 1
