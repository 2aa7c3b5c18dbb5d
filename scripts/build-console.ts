import { buildConsole } from './console-build.ts'

/** `npm run build:console`: builds the console unless it is up to date. A service that may not write to this folder needs this before. */
const isBuilt = await buildConsole()
process.stdout.write(isBuilt ? 'The console is built.\n' : 'The console is up to date.\n')
