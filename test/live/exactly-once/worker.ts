/** An engine in a process of its own, to be killed: runs one action and says what it came to. */

import { runAction } from './run-action.ts'
import type { ActionTask } from './run-action.ts'

const task = JSON.parse(process.env['EXACTLY_ONCE_TASK'] ?? '') as ActionTask
process.stdout.write(await runAction(task))
