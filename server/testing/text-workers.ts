import { after } from 'node:test'
import { openTextWorkers } from '../agent/text/workers.ts'
import { silentLog } from './database.ts'

/**
 * The child processes for slow text operations. All tests of this process share them, because starting one child process takes a third of a
 * second.
 */
export const textWorkerPool = openTextWorkers({ size: 1, log: silentLog })
export const textWorkers = textWorkerPool.of('org')
after(() => textWorkerPool.close())
