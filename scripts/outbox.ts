import { runAdmin } from './admin/run.ts'

/** `npm run outbox -- list | show <id>`: a short form of `npm run admin -- outbox`. */
const argv = process.argv.slice(2)
process.exitCode = await runAdmin(['outbox', ...(argv.length === 0 ? ['list'] : argv)])
