import { buildConsole } from './console-build.ts'

/** `npm run build:console`: builds the console unless it is up to date, so that a start needs no write access to this folder. */
const isBuilt = await buildConsole()
process.stdout.write(isBuilt ? 'The console is built.\n' : 'The console is up to date.\n')
