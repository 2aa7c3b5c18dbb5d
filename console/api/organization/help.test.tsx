import assert from 'node:assert/strict'
import { describe, test, afterEach } from 'node:test'
import { recordFailure } from '../request/failure-ring.ts'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { sent, serve } from '../../testing/console.tsx'
import { askForHelp, type HelpContext, projectOf, readContext, uploadPicture } from './help.ts'

const ASK = 'POST /help'
const question = { subject: 'Stuck', body: 'The build waits.', attachments: [] }
const contextAt = (route: string): HelpContext => ({
  route,
  ticket: null,
  build: null,
  viewport: '1024x768',
  timeZone: 'UTC',
  locale: 'en',
  failures: [],
})

describe('a question for help', () => {
  afterEach(() => history.replaceState(null, '', '/'))

  test("of the open page's URL, a help question contains only the path, the ticket and the build", () => {
    history.replaceState(null, '', '/projects/prj_1/runs/run_9?ticket=tkt_3&q=secret+words#part')
    const context = readContext()
    assert.deepEqual(
      [context.route, context.ticket, context.build],
      ['/projects/prj_1/runs/run_9', 'tkt_3', 'run_9'],
    )
    assert.ok(!JSON.stringify(context).includes('secret'))
  })

  test('a help question lists the failed requests of its page, without ids in their URLs and without error messages', () => {
    recordFailure(
      new SlipwayError('The name “Rosa” is taken.', {
        code: 'conflict',
        status: 409,
        requestId: 'req_77',
        method: 'PATCH',
        path: '/api/v1/projects/prj_01hqz0000000000000abcdefgh',
      }),
    )
    const last = readContext().failures.at(-1)
    assert.deepEqual([last?.route, last?.requestId], ['/api/v1/projects/:id', 'req_77'])
    assert.ok(!JSON.stringify(last).includes('Rosa'))
  })

  test('a help question names the project of the page on which it was asked', async () => {
    const calls = serve({ [ASK]: () => ({ id: 'hlp_1' }) })
    await askForHelp({ ...question, context: contextAt('/projects/prj_1/ship') })
    assert.partialDeepStrictEqual(sent(calls, ASK)?.[0], { ...question, projectId: 'prj_1' })
  })

  test('a help question that is sent without the facts about the open page does not name the project either', async () => {
    const calls = serve({ [ASK]: () => ({ id: 'hlp_1' }) })
    history.replaceState(null, '', '/projects/prj_1/ship')
    await askForHelp({ ...question, context: null })
    assert.deepEqual(sent(calls, ASK), [question])
  })

  test('a help question names a project only when its page belongs to a project', () => {
    for (const [route, project] of [
      ['/projects/prj_1', 'prj_1'],
      ['/projects/prj_1/code', 'prj_1'],
      ['/projects', null],
      ['/projects/new', null],
      ['/settings/projects/prj_1', null],
      ['', null],
    ] as const)
      assert.equal(projectOf(route), project, route)
  })
})

describe('a screenshot of a question', () => {
  test('a screenshot is sent to the help endpoint with its name and type, a long name is truncated, and a pasted screenshot gets a name', async () => {
    const calls = serve({ 'POST /help/attachments': () => ({ id: 'pic_1' }) })
    for (const name of ['shot.png', '', '  ', 'x'.repeat(300)])
      await uploadPicture(new File(['bytes'], name, { type: 'image/png' }))
    const queries = calls['POST /help/attachments']?.map(({ query }) => query['name'])
    assert.deepEqual(queries, ['shot.png', 'screenshot', 'screenshot', 'x'.repeat(200)])
    assert.deepEqual(sent(calls, 'POST /help/attachments'), ['bytes', 'bytes', 'bytes', 'bytes'])
  })

  test('a screenshot is uploaded even when its long name would be truncated in the middle of a character', async () => {
    const calls = serve({ 'POST /help/attachments': () => ({ id: 'pic_1' }) })
    await uploadPicture(new File(['bytes'], `${'x'.repeat(199)}🌱.png`, { type: 'image/png' }))
    assert.equal(calls['POST /help/attachments']?.[0]?.query['name'], 'x'.repeat(199))
  })
})
