/** Owns the list of commands. What a command needs is loaded only when that command is called. */

import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

export interface CommandModule {
  readonly define: (program: Command, terminal: Terminal) => void
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<CommandModule>
}

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly CommandEntry[]
}

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Begin',
    commands: [
      {
        name: 'demo',
        summary: 'a made-up network, to look around; no account needed',
        load: () => import('./commands/demo.ts'),
      },
      {
        name: 'init',
        summary: 'connect an account, step by step',
        load: () => import('./commands/init.ts'),
      },
      {
        name: 'doctor',
        summary: 'what is configured, where from, and what is wrong',
        load: () => import('./commands/doctor.ts'),
      },
    ],
  },
  {
    title: 'Run',
    commands: [
      {
        name: 'serve',
        summary: 'the engine, the API and the dashboard',
        load: () => import('./commands/serve.ts'),
      },
      {
        name: 'worker',
        summary: 'the engine alone',
        load: () => import('./commands/worker.ts'),
      },
      {
        name: 'pause',
        summary: 'stop sending: everything, an account or a platform',
        load: () => import('./commands/pause.ts'),
      },
      {
        name: 'resume',
        summary: 'lift a pause',
        load: () => import('./commands/resume.ts'),
      },
      {
        name: 'link',
        summary: 'print a link that signs in to the dashboard',
        load: () => import('./commands/link.ts'),
      },
      {
        name: 'tokens',
        summary: 'make, list or revoke tokens of programs',
        load: () => import('./commands/tokens.ts'),
      },
      {
        name: 'mcp',
        summary: 'speak to an assistant over stdio',
        load: () => import('./commands/mcp.ts'),
      },
    ],
  },
  {
    title: 'See and decide',
    commands: [
      {
        name: 'accounts',
        summary: 'add, list, test, change or remove accounts',
        load: () => import('./commands/accounts.ts'),
      },
      {
        name: 'posts',
        summary: 'list, show, watch or import posts',
        load: () => import('./commands/posts.ts'),
      },
      {
        name: 'evaluate',
        summary: 'what is decided about a post now, and why',
        load: () => import('./commands/evaluate.ts'),
      },
      {
        name: 'plan',
        summary: 'look at a post now, and plan if it is stalled',
        load: () => import('./commands/plan.ts'),
      },
      {
        name: 'actions',
        summary: 'list, show, approve, reject, undo or retry actions',
        load: () => import('./commands/actions.ts'),
      },
      {
        name: 'lift',
        summary: 'whether it helps, measured against posts left alone',
        load: () => import('./commands/lift.ts'),
      },
      {
        name: 'policy',
        summary: 'show, validate, save or try out a policy',
        load: () => import('./commands/policy.ts'),
      },
      {
        name: 'backtest',
        summary: 'replay a policy over recorded posts',
        load: () => import('./commands/backtest.ts'),
      },
    ],
  },
  {
    title: 'Keep',
    commands: [
      {
        name: 'export',
        summary: 'posts, samples, actions or verdicts as CSV or JSON',
        load: () => import('./commands/export.ts'),
      },
      {
        name: 'import',
        summary: 'take over the history of a classic executor',
        load: () => import('./commands/import.ts'),
      },
      {
        name: 'db',
        summary: 'migrate, check, back up, restore or verify the ledger',
        load: () => import('./commands/db.ts'),
      },
      {
        name: 'keys',
        summary: 'rotate the key that seals credentials',
        load: () => import('./commands/keys.ts'),
      },
      {
        name: 'openapi',
        summary: 'print the description of the HTTP API',
        load: () => import('./commands/openapi.ts'),
      },
      {
        name: 'completion',
        summary: 'print completions for bash, zsh or fish',
        load: () => import('./commands/completion.ts'),
      },
    ],
  },
]

export const allCommands = commandGroups.flatMap(({ commands }) => commands)
