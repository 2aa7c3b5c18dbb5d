import { runAdmin } from './admin/run.ts'

/** `npm run admin -- <command>`: for the operator, on the service's own machine and with its settings. */
process.exitCode = await runAdmin(process.argv.slice(2))
