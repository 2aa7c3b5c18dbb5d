import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { RunningCalls } from './live-tab.tsx'

const LIST_CALLS = 'GET /projects/prj_1/capabilities/call/calls'
const isoNow = () => new Date().toISOString()
const participant = (name: string | null, tracks: string[], muted: string[] = []) => ({
  userId: name === null ? null : `u_${name}`,
  name,
  joinedAt: isoNow(),
  tracks,
  muted,
})

describe('the calls of an app', () => {
  test('each running call lists its participants, whether they send audio, video or a screen, and how the media is routed', async () => {
    const desk = { room: 'desk', id: 'main', partition: null, mode: 'mesh', startedAt: isoNow() }
    const team = { room: 'talk', id: '7', partition: 't_red', mode: 'sfu', startedAt: isoNow() }
    serve({
      [LIST_CALLS]: () => [
        { ...desk, people: [participant('Ada', ['audio', 'video'], ['audio']), participant(null, [])] },
        { ...team, people: [{ ...participant('Ben', ['audio', 'screen']), name: null }] },
      ],
    })
    show(<RunningCalls projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('desk/main')))
    const people = (title: string) =>
      within(screen.getByRole('list', { name: `People in ${title}` }))
        .getAllByRole('listitem')
        .map((row) => row.textContent)
    assert.deepEqual(people('desk/main'), [
      'Adamicrophone (muted), camera · joined just now',
      'A visitorlistens only · joined just now',
    ])
    assert.deepEqual(people('talk/7'), ['A removed personmicrophone, screen · joined just now'])
    const text = document.body.textContent ?? ''
    assert.match(text, /2 people · between their browsers · began just now/)
    assert.match(text, /1 person · through the media server of your account · began just now/)
    assert.match(text, /A room of t_red/)
  })

  test('the page of audio and video calls says when no call is running', async () => {
    serve({ [LIST_CALLS]: () => [] })
    show(<RunningCalls projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('No call right now')))
  })

  test('the page of audio and video calls asks the person to ship an app that was never shipped', async () => {
    serve({ [LIST_CALLS]: () => new Refusal(404, 'not_enabled', 'Calls are on, but not deployed yet.') })
    show(<RunningCalls projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
