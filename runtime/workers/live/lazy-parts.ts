// One chunk for the parts that record reads and writes do not need, so that an object which only stores records starts faster.
export { ObjectMail } from '../../email/object.ts'
export { ObjectOrders } from '../../pay/object.ts'
export { ScheduleRunner } from '../../schedule/runner.ts'
export { ObjectVideos } from '../../video/object.ts'
