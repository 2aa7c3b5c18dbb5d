import { buildConsole } from './console-build.ts'

/** `npm start`: builds the console when its sources have changed, then runs the service in this process. */
await buildConsole()
await import('../server/main.ts')
