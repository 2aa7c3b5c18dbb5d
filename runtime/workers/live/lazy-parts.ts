// Made by `npm run generate` from the folders of the capabilities. Do not edit.
// One chunk for the parts that record reads and writes do not need, so that an object which only stores records starts faster.
export { createMail } from '../../email/object.ts'
export { createOrders } from '../../pay/object.ts'
export { createSchedules } from '../../schedule/runner.ts'
export { createVideos } from '../../video/object.ts'
