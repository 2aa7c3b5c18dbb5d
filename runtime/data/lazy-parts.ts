// Loaded when one of them is first needed, so that an object which only keeps records starts with less code.
export { ObjectMail } from '../email/object.ts'
export { ObjectOrders } from '../pay/object.ts'
export { ScheduleRunner } from '../schedule/runner.ts'
export { ObjectVideos } from '../video/object.ts'
