import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { RenderSpend } from './render-spend.tsx'

const AT = 'GET /projects/prj_1/capabilities/render/spend'
const barOf = (name: string) => screen.getByRole('meter', { name })

describe('the pages rendered in a month', () => {
  test('the sentence and the bar say what is used, and of which month', async () => {
    serve({ [AT]: () => ({ month: '2026-11', used: 1200, monthly: 5000 }) })
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('1,200 of 5,000 pages rendered')))
    assert.ok(isShown('3,800 left · until the end of November 2026 (UTC)'))
    const bar = barOf('1,200 of 5,000 pages rendered')
    assert.deepEqual(
      ['aria-valuenow', 'aria-valuemax'].map((name) => bar.getAttribute(name)),
      ['1200', '5000'],
    )
  })

  test('a budget that is used up, or was made smaller since, says that the app is refused', async () => {
    serve({ [AT]: () => ({ month: '2026-11', used: 12, monthly: 10 }) })
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('12 of 10 pages rendered')))
    assert.ok(isShown('Nothing is left: the app is refused until the end of November 2026 (UTC)'))
    assert.equal(barOf('12 of 10 pages rendered').getAttribute('aria-valuenow'), '10')
    const raise = screen.getByRole('link', { name: 'Raise the limit in the settings' })
    assert.match(raise.getAttribute('href') ?? '', /\/capabilities\/render$/)
  })

  test('an app that was never shipped says that it has to be', async () => {
    serve({ [AT]: () => new Refusal(404, 'not_enabled', 'Page rendering is on, but not deployed yet.') })
    show(<RenderSpend projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
