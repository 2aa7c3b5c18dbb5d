/**
 * Preloaded into a service (`node --import`). Shifts its clock by the milliseconds in the file
 * MOVED_CLOCK_FILE, as on a machine whose clock was set. Does not affect timers and durations.
 */
import { readFileSync, watchFile } from 'node:fs'

const file = process.env['MOVED_CLOCK_FILE'] ?? ''
const RealDate = Date
let offsetMs = 0
const readOffset = () => {
  offsetMs = Number(readFileSync(file, 'utf8'))
}
readOffset()
watchFile(file, { interval: 20, persistent: false }, readOffset)

const movedNow = () => RealDate.now() + offsetMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts: unknown[], made) =>
    Reflect.construct(target, parts.length === 0 ? [movedNow()] : parts, made),
  get: (target, name) => (name === 'now' ? movedNow : Reflect.get(target, name)),
})
