import type { ScaffoldFields } from '../reading/fields.ts'
import { article, namesOf } from '../reading/names.ts'
import { capitalize } from '../reading/words.ts'

/**
 * The collection that stores who is notified of new records. Each of its records contains a person and, in
 * the field `list`, the collection that the person is notified about.
 */
export const WATCHERS_COLLECTION = 'watchers'
const WATCHER_FIELDS: ScaffoldFields = { list: { type: 'text', required: true, index: true, max: 60 } }

/** People can add and see only their own entries. */
export const WATCHERS_SPEC = {
  title: 'Watchers',
  partition: 'app',
  read: 'owner',
  write: 'owner',
  fields: WATCHER_FIELDS,
}

/**
 * Returns the collections that the user of the scaffold requested, without the generated collection
 * `watchers`.
 */
export const withoutWatchers = <List extends object>(lists: Record<string, List>): Record<string, List> =>
  Object.fromEntries(
    Object.entries(lists).filter(([key, list]) => key !== WATCHERS_COLLECTION || !isWatcherList(list)),
  )

export const isWatcherList = (list: object): boolean => JSON.stringify(list) === JSON.stringify(WATCHERS_SPEC)

/** The page on which people turn on notifications about a list. */
export const watchPage = (collection: string) => {
  const { component, path, one } = namesOf(collection)
  const file = `${component}Notifications.tsx`
  return {
    page: {
      path: `${path}-notifications`,
      file,
      title: `${capitalize(one)} notifications`,
      access: 'members',
    },
    pagePath: `web/pages/${file}`,
    source: pageSource(collection),
  }
}

function pageSource(collection: string): string {
  const { component, one, many } = namesOf(collection)
  return `import { Button, data, Notice, Page, push, useAction, useQuery, useUser } from '@slipway/app/react'
import { useEffect, useState } from 'react'

export default function ${component}Notifications() {
  const user = useUser()
  const { rows } = useQuery('${WATCHERS_COLLECTION}', { where: { list: '${collection}' }, limit: 200 })
  const [device, setDevice] = useState<'unsupported' | 'denied' | 'off' | 'on'>('off')
  useEffect(() => void push.state().then(setDevice), [])
  // Staff can read the records of other people, so select their own.
  const mine = rows.filter(({ ownerId }) => ownerId === user?.id)
  const turnOn = useAction(async () => {
    try {
      await push.subscribe()
    } finally {
      setDevice(await push.state())
    }
    if (mine.length === 0) await data.create('${WATCHERS_COLLECTION}', { list: '${collection}' })
  })
  const turnOff = useAction(() => Promise.all(mine.map(({ id }) => data.remove('${WATCHERS_COLLECTION}', id))))
  const problem = turnOn.problem ?? turnOff.problem
  const isOn = device === 'on' && mine.length > 0
  return (
    <Page title="${capitalize(one)} notifications" description="Know of new ${many} while the app is closed.">
      {problem !== null && device !== 'denied' && <Notice kind="bad">{problem.text}</Notice>}
      {device === 'unsupported' && (
        <Notice kind="warn">
          This browser shows no notifications. On an iPhone, add the app to the home screen and open it there.
        </Notice>
      )}
      {device === 'denied' && (
        <Notice kind="warn">Notifications are blocked. Allow them in the settings of the browser.</Notice>
      )}
      <p role="status">{isOn ? 'You are notified of new ${many} here.' : 'You are not notified on this device.'}</p>
      {isOn ? (
        <Button busy={turnOff.busy} onClick={() => turnOff.run()}>
          Stop the notifications
        </Button>
      ) : (
        <Button
          kind="primary"
          busy={turnOn.busy}
          disabled={device === 'unsupported' || device === 'denied'}
          onClick={() => turnOn.run()}
        >
          Notify me of new ${many}
        </Button>
      )}
    </Page>
  )
}
`
}

export const notifySource = (collection: string): string => `
/** Notifies the people who turned on notifications about new ${namesOf(collection).many}. */
async function notify(body: string) {
  const people = new Set<string>()
  // When an account is erased, its record stays without an owner.
  for await (const { ownerId } of data.system.all('${WATCHERS_COLLECTION}', { where: { list: '${collection}' } }))
    if (ownerId !== null) people.add(ownerId)
  const userIds = [...people].slice(0, 100)
  await push.send({ userIds }, { title: 'New ${namesOf(collection).one}', body, url: '/' })
}
`

/**
 * Returns the source of an app test: people who turned on notifications receive one for a new record, and
 * visitors cannot read the collection `watchers`.
 */
export const notifyTest = (collection: string, who: string, creator: string, sample: string): string => {
  const { one } = namesOf(collection)
  return `
test('people who want it are notified of ${article(one)} ${one}', async () => {
  const eva = await app.signUp('Eva')
  await eva.addDevice()
  // A record without an owner, as an erased account leaves it.
  await app.system.create('${WATCHERS_COLLECTION}', { list: '${collection}' })
  await eva.data.create('${WATCHERS_COLLECTION}', { list: '${collection}' })
${creator}  expect((await ${who}.post('/api/${collection}', ${sample})).status).toBe(200)
  const shown = (await app.pushes()).filter(({ userId }) => userId === eva.user.id)
  expect(shown.map(({ title }) => title)).toEqual(['New ${one}'])
  await expect(app.data.list('${WATCHERS_COLLECTION}')).toReject('unauthorized')
})
`
}
