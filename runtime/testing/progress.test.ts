import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { reportProgress, rejectWhenStalled } from './progress.ts'

describe("the time limit of an app's test", () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  const forever = () => new Promise<void>(() => {})

  test("an app's test fails after two seconds without a response of the app", async () => {
    const stuck = assert.rejects(rejectWhenStalled(forever), /did not end within 2 s/)
    mock.timers.tick(2_000)
    await stuck
  })

  test("an app's test that keeps getting responses may take longer than two seconds, up to ten", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = rejectWhenStalled(() => promise)
    for (let answers = 0; answers < 5; answers++) {
      mock.timers.tick(1_900)
      reportProgress()
    }
    resolve()
    await slow
    const endless = assert.rejects(rejectWhenStalled(forever), /did not end within 10 s/)
    for (let answers = 0; answers < 6; answers++) {
      mock.timers.tick(1_900)
      reportProgress()
    }
    await endless
  })
})
