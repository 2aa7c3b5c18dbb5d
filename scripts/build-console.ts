import { buildConsole } from './console-build.ts'

/** `npm run build:console`: builds the console unless it is up to date, so that a start that may not write to this folder need not build it. */
const isBuilt = await buildConsole()
process.stdout.write(isBuilt ? 'The console is built.\n' : 'The console is up to date.\n')
