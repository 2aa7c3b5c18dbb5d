// `@slipway/app/testing`: what files in `tests/` use; they run in workerd against the booted app.
export type { PostedMail, TestMail } from './testing/mail.ts'
export type { TestPush } from './testing/push.ts'
export type { JobRun } from './testing/jobs.ts'
export type { Duration, TestClock } from './testing/clock.ts'
export { app, type PersonApp, type TestAnswer, type TestApp } from './testing/app.ts'
export { expect } from './testing/expect.ts'
export { test } from './testing/suite.ts'
