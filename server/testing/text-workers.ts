import { after } from 'node:test'
import { openTextWorkers } from '../agent/text/workers.ts'
import { silentLog } from './database.ts'

/** One pool for all tests of this process, because a worker takes a third of a second to start. */
export const textWorkerPool = openTextWorkers({ size: 1, log: silentLog })
export const textWorkers = textWorkerPool.of('org')
after(() => textWorkerPool.close())
