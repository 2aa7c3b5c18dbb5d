import { runAdmin } from './admin/run.ts'

/** `npm run outbox -- list | show <id>`: short for the `outbox` command of `npm run admin`. */
const given = process.argv.slice(2)
process.exitCode = await runAdmin(['outbox', ...(given.length === 0 ? ['list'] : given)])
