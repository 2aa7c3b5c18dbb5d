import { runAdmin } from './admin/run.ts'

/** `npm run outbox -- list | show <id>`: the command `outbox` of `npm run admin`, by its own name. */
const given = process.argv.slice(2)
process.exitCode = await runAdmin(['outbox', ...(given.length === 0 ? ['list'] : given)])
