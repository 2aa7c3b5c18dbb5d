import { runAdmin } from './admin/run.ts'

/** `npm run outbox -- list | show <id>`: a short form of `npm run admin -- outbox`. */
const given = process.argv.slice(2)
process.exitCode = await runAdmin(['outbox', ...(given.length === 0 ? ['list'] : given)])
