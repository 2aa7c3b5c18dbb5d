import { strFromU8, unzipSync } from 'fflate'
import { type AppTree, starterTree } from '../source/tree.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Office plants',
  uses: ['data'],
  pages: [
    { path: '/', file: 'Plants.tsx', title: 'Plants' },
    { path: '/rooms', file: 'Rooms.tsx', title: 'Rooms' },
    { path: '/plants/:id', file: 'Plant.tsx', title: 'Plant' },
  ],
  collections: {
    plants: {
      title: 'Plants',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: {
        name: { type: 'text', required: true, max: 80, unique: true, search: true },
        room: { type: 'ref', ref: 'rooms' },
        lastWatered: { type: 'date', index: true },
        light: { type: 'enum', values: ['shade', 'half_shade', 'sun'], default: 'half_shade', index: true },
        potSize: { type: 'integer', max: 100, index: true },
        isThirsty: { type: 'boolean', default: false, index: true },
        notes: { type: 'text', as: 'long', max: 500, search: true },
      },
    },
    rooms: {
      title: 'Rooms',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { name: { type: 'text', required: true } },
    },
    audits: {
      partition: 'app',
      read: 'nobody',
      write: 'nobody',
      fields: { text: { type: 'text', required: true } },
    },
  },
}

const PLANTS = `import { api, Card, EmptyState, Page, RecordForm, RecordList, navigate } from '@slipway/app/react'

export default function Plants() {
  return (
    <Page title="Plants" description="Who needs water, and when it was last given.">
      <Card title="Add a plant">
        <RecordForm collection="plants" submitLabel="Add plant" />
      </Card>
      <RecordList
        collection="plants"
        columns={['name', 'room', 'lastWatered', 'light', 'potSize', 'isThirsty']}
        empty={<EmptyState title="No plants yet">Add the first one above.</EmptyState>}
        onOpen={(plant) => navigate(\`/plants/\${plant.id}\`)}
        onEdit={(plant, input) => api.patch(\`/api/plants/\${plant.id}\`, input)}
        onDelete={(plant) => api.delete(\`/api/plants/\${plant.id}\`)}
      />
    </Page>
  )
}
`

const PLANT = `import { Card, EmptyState, Page, Skeleton, useParams, useRecord } from '@slipway/app/react'

export default function Plant() {
  const { id = '' } = useParams()
  const { record: plant, status } = useRecord('plants', id)
  if (status === 'loading') return <Skeleton />
  if (plant === null) return <EmptyState title="This plant is gone" />
  return (
    <Page title={plant.name} back={{ to: '/', label: 'Plants' }}>
      <Card>
        <p>{plant.notes ?? 'No notes.'}</p>
      </Card>
    </Page>
  )
}
`

const ROOMS = `import { Card, Page, RecordForm, RecordList } from '@slipway/app/react'

export default function Rooms() {
  return (
    <Page title="Rooms">
      <Card title="Add a room">
        <RecordForm collection="rooms" submitLabel="Add room" />
      </Card>
      <RecordList collection="rooms" />
    </Page>
  )
}
`

const ROUTES = `import { ApiError, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.patch('/plants/:id', async (c) =>
  c.json(await data.system.update('plants', c.req.param('id'), await c.req.json())),
)
routes.delete('/plants/:id', async (c) => c.json(await data.system.remove('plants', c.req.param('id'))))
routes.get('/as-caller', async (c) => c.json(await data.as(c.req.raw).list('audits')))
routes.post('/audits', async (c) => c.json(await data.system.create('audits', { text: 'done' })))
routes.post('/moves', async (c) => {
  const { plant, rev } = await c.req.json<{ plant: string; rev: number }>()
  const id = data.newId()
  const [room, moved] = await data.system.tx([
    { op: 'create', collection: 'rooms', id, fields: { name: 'Attic' } },
    { op: 'update', collection: 'plants', id: plant, fields: { room: id }, rev },
  ])
  return c.json({ room: room?.name, at: moved?.room, id })
})
routes.get('/refused', () => {
  throw new ApiError('conflict', 'Not now.')
})
`

const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a plant is stored and can be changed', async () => {
  const plant = await app.data.create('plants', { name: 'Fern', light: 'sun' })
  expect((await app.data.list('plants', { where: { light: 'sun' } })).items).toContainEqual(plant)
  const changed = await app.patch(\`/api/plants/\${plant.id}\`, { name: 'Ivy' })
  expect(changed.status).toBe(200)
  expect(changed.body.name).toBe('Ivy')
})

test('a plant needs a name', async () => {
  await expect(app.data.create('plants', { name: '' })).toReject('invalid_request')
})
`

/** Returns the agent's files of a small app with three collections, as a build creates them. */
export function plantsTree(changes: Record<string, string> = {}): AppTree {
  const starter = [...starterTree('Office plants')].filter(([path]) => path !== 'web/pages/Home.tsx')
  return new Map([
    ...starter,
    ['app.json', `${JSON.stringify(MANIFEST, null, 2)}\n`],
    ['server/routes.ts', ROUTES],
    ['tests/plants.test.ts', TEST],
    ['web/pages/Plant.tsx', PLANT],
    ['web/pages/Plants.tsx', PLANTS],
    ['web/pages/Rooms.tsx', ROOMS],
    ...Object.entries(changes),
  ])
}

export const filesInZip = (zip: ArrayBuffer): AppTree =>
  new Map(Object.entries(unzipSync(new Uint8Array(zip))).map(([path, bytes]) => [path, strFromU8(bytes)]))
