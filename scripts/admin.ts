import { runAdmin } from './admin/run.ts'

/** `npm run admin -- <command>`: the commands for the operator. The commands run on the service's own machine and with its settings. */
process.exitCode = await runAdmin(process.argv.slice(2))
