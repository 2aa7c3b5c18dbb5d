import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { starterTree } from '../../../server/agent/source/tree.ts'
import { type RunningApp, startApp } from '../../../server/agent/testing/bundle.ts'
import { assertSoundApp, inviteToTeam, makeTeam, press, signUpInApp, visitApp } from './visitors.ts'
import { assertBecomes, launchBrowser } from '../browser.ts'

const USED = ['auth', 'data', 'team', 'live']
const MANIFEST = {
  slipway: 1,
  name: 'Crews',
  uses: USED,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Chat', access: 'members' }],
  collections: {
    posts: {
      partition: 'team',
      read: 'team',
      write: 'team',
      fields: { text: { type: 'text', required: true }, by: { type: 'text' } },
    },
  },
  rooms: [{ room: 'chat', access: 'team' }],
}
/** A chat app. Messages are records, a wave is a message of the live room, and the room's presence shows who is there and who types. */
const CHAT = `import { Button, data, Page, type Peer, team, type Team, TextField, useQuery, useRoom, useUser } from '@slipway/app/react'
import { useEffect, useState } from 'react'

interface Shown { name: string; isTyping: boolean }

function Chat({ of, name }: { of: Team; name: string }) {
  const [text, setText] = useState('')
  const room = useRoom('chat', 'main', { partition: of.id, data: true, presence: { name, isTyping: text !== '' } })
  const { rows } = useQuery('posts', { sort: 'createdAt' }, { partition: of.id })
  const say = async () => {
    await data.of(of.id).create('posts', { text, by: name })
    setText('')
  }
  const nameOf = ({ presence }: Peer) => {
    const shown = presence as Shown | null
    return shown === null ? '…' : shown.isTyping ? shown.name + ' is typing' : shown.name
  }
  return (
    <>
      <p role="status">{room.status()}</p>
      <ul aria-label="Here">{room.peers().map((peer) => <li key={peer.id}>{nameOf(peer)}</li>)}</ul>
      <ul aria-label="Posts">{rows.map((row) => <li key={row.id}>{row.by}: {row.text}</li>)}</ul>
      <ul aria-label="Waves">
        {room.messages('wave').map(({ seq, data }) => <li key={seq}>{(data as { name: string }).name} waves</li>)}
      </ul>
      <TextField label="Topic" value={String(room.state.get('topic') ?? '')} onChange={(topic) => void room.state.set('topic', topic)} />
      <TextField label="Message" value={text} onChange={setText} />
      <Button onClick={() => void say()}>Send</Button>
      <Button onClick={() => void room.broadcast('wave', { name })}>Wave</Button>
    </>
  )
}
export default function Home() {
  const user = useUser()
  const [teams, setTeams] = useState<Team[]>([])
  useEffect(() => void team.list().then(setTeams), [])
  const [first] = teams
  return (
    <Page title="Chat">
      {first === undefined || user == null ? <p>No team yet</p> : <Chat of={first} name={user.name} />}
    </Page>
  )
}
`

describe('a chat in three browsers', () => {
  let app: RunningApp
  let browser: Browser
  const tree = new Map([
    ...starterTree('Crews'),
    ['app.json', JSON.stringify(MANIFEST)],
    ['web/pages/Home.tsx', CHAT],
  ])
  before(async () => {
    app = await startApp(tree, { enabled: USED })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const findList = (page: Page, name: string) => page.getByRole('list', { name })
  const listTexts = (page: Page, name: string) => findList(page, name).getByRole('listitem').allTextContents()
  const waitFor = (page: Page, name: string, text: string) =>
    findList(page, name).getByRole('listitem').getByText(text, { exact: true }).waitFor()
  const waitForStatus = (page: Page, word: string) =>
    page.getByRole('status').getByText(word, { exact: true }).waitFor()

  /** Opens the chat, and records the WebSockets of the page. */
  async function openChat(page: Page): Promise<{ rooms: string[]; others: string[] }> {
    const sockets = { rooms: [] as string[], others: [] as string[] }
    page.on('websocket', (socket) => {
      const { pathname } = new URL(socket.url())
      if (pathname.startsWith('/_app/live/')) sockets.rooms.push(pathname)
      else sockets.others.push(socket.url())
    })
    await page.goto(app.url.href)
    await waitForStatus(page, 'live')
    return sockets
  }

  test("people in an app's chat see presence, typing and messages of the others over one WebSocket each", async () => {
    const ada = await visitApp(browser, app, '/teams')
    await signUpInApp(ada, 'Ada')
    await makeTeam(ada, 'Red crew')
    const pages = [ada]
    for (const name of ['Ben', 'Cleo']) {
      await ada.goto(new URL('/teams', app.url).href)
      await ada.getByRole('link', { name: 'Red crew' }).click()
      const link = await inviteToTeam(ada)
      const page = await visitApp(browser, app, link)
      await signUpInApp(page, name)
      await press(page, 'Join the team')
      await page.getByRole('heading', { level: 1, name: 'Red crew' }).waitFor()
      pages.push(page)
    }
    const [, ben, cleo] = pages as [Page, Page, Page]
    const sockets = await openChat(ada)
    for (const page of [ben, cleo]) await openChat(page)
    for (const page of pages) for (const name of ['Ada', 'Ben', 'Cleo']) await waitFor(page, 'Here', name)

    await ben.getByLabel('Message').fill('Good morning')
    await waitFor(ada, 'Here', 'Ben is typing')
    await press(ben, 'Send')
    for (const page of pages) await waitFor(page, 'Posts', 'Ben: Good morning')
    await waitFor(ada, 'Here', 'Ben')
    await press(cleo, 'Wave')
    for (const page of pages) await waitFor(page, 'Waves', 'Cleo waves')
    await ada.getByLabel('Topic').fill('Paint')
    for (const page of [ben, cleo]) await assertBecomes(() => page.getByLabel('Topic').inputValue(), 'Paint')
    await assertSoundApp(ada, 'app-chat')
    assert.deepEqual(sockets.rooms.length, 1, JSON.stringify(sockets))
    assert.ok(
      sockets.others.every((url) => !url.includes('partition=t_')),
      JSON.stringify(sockets),
    )

    // After a reload the page shows everything again, and the others see the person again.
    await cleo.reload()
    await waitFor(cleo, 'Posts', 'Ben: Good morning')
    await waitFor(cleo, 'Waves', 'Cleo waves')
    await assertBecomes(async () => (await listTexts(ada, 'Here')).length, 3)

    // The others no longer see a person whose page is closed.
    await cleo.goto('about:blank')
    await assertBecomes(async () => (await listTexts(ada, 'Here')).toSorted().join(), 'Ada,Ben')
    await cleo.goBack()
    await waitForStatus(cleo, 'live')

    // A deployment closes every WebSocket. Messages sent after it still arrive.
    await app.ship(tree)
    for (const page of pages) await waitForStatus(page, 'live')
    await press(ada, 'Wave')
    for (const page of pages) await waitFor(page, 'Waves', 'Ada waves')
    assert.deepEqual(await listTexts(ben, 'Waves'), ['Cleo waves', 'Ada waves'])
    await ada.getByLabel('Message').fill('Back again')
    await press(ada, 'Send')
    for (const page of pages) await waitFor(page, 'Posts', 'Ada: Back again')

    // A member who is removed from the team also leaves the team's live room.
    await cleo.evaluate(`fetch('/_app/team').then((answer) => answer.json())
      .then(async ({ data: [team] }) => {
        const { data: me } = await (await fetch('/_app/auth/me')).json()
        await fetch('/_app/team/' + team.id + '/members/' + (me.user ?? me).id, { method: 'DELETE' })
      })`)
    await waitForStatus(cleo, 'refused')
    await assertBecomes(async () => (await listTexts(ada, 'Here')).toSorted().join(), 'Ada,Ben')
    await Promise.all(pages.map((page) => page.context().close()))
  })
})
