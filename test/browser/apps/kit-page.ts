/** The source of an app that shows every component of the app kit. */
export const KIT_MANIFEST = {
  slipway: 1,
  name: 'Bakery',
  uses: ['data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    people: {
      title: 'People',
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: {
        name: { type: 'text', required: true },
        age: { type: 'integer' },
        salary: { type: 'integer', currency: 'EUR' },
        level: { type: 'enum', values: ['novice', 'baker', 'master'] },
      },
    },
  },
}

export const KIT_ROUTES = `import { ApiError, data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/summary', async (c) => {
  const { items } = await data.system.list('people')
  return c.json({ text: items.length + ' people, ' + items.reduce((sum, one) => sum + (one.age ?? 0), 0) + ' years' })
})
routes.delete('/people/:id', async (c) => c.json(await data.system.remove('people', c.req.param('id'))))
routes.patch('/people/:id', async (c) => {
  const input = await c.req.json()
  if (input.level === 'novice') throw new ApiError('conflict', 'Nobody becomes a novice again.')
  return c.json(await data.system.update('people', c.req.param('id'), input))
})
routes.post('/close', () => {
  throw new ApiError('conflict', 'The oven is still hot.')
})
`

export const KIT_HOME = `import {
  api, BarChart, BarList, Board, Button, Calendar, Card, CheckboxGroup, ConfirmDialog, csvOf, Dialog, DonutChart, downloadText, Gallery, LineChart, MoneyField, Notice, NumberField, Page,
  PasswordField, RecordForm, RecordList, showToast, Stat, Stats, Switch, Table, Tabs, TextField, TimeField, useAction, useApi, useToday,
} from '@slipway/app/react'
import { useState } from 'react'

const CAKES = ['Zebra', 'Müller', 'Apple', 'Éclair', 'Brownie', 'Carrot', 'Donut', 'Fig', 'Ginger'].map((name, i) => ({
  id: String(i), name, price: 10 * (i + 1), note: i === 3 ? null : 'From ' + name,
}))

function Cakes() {
  return (
    <Table
      label="Cakes"
      rows={CAKES}
      rowKey={(cake) => cake.id}
      columns={[
        { key: 'name', title: 'Name', value: (cake) => cake.name },
        { key: 'note', title: 'Note', value: (cake) => cake.note },
        { key: 'price', title: 'Price', value: (cake) => cake.price, total: true },
      ]}
      actions={(cake) => <Button size="small" aria-label={'Order ' + cake.name} onClick={() => showToast(cake.name + ' ordered')}>Order</Button>}
      csv="cakes.csv"
    />
  )
}

function Fields() {
  const [price, setPrice] = useState<number | null>(1250)
  const [weight, setWeight] = useState<number | null>(null)
  const [time, setTime] = useState<string | null>('09:30')
  const [word, setWord] = useState('')
  const [isOpen, setIsOpen] = useState(true)
  const [days, setDays] = useState<readonly string[]>(['mon'])
  return (
    <>
      <MoneyField label="Price" currency="usd" value={price} onChange={setPrice} />
      <p>Stored: {String(price)}</p>
      <NumberField label="Weight" value={weight} onChange={setWeight} />
      <p>Weight: {String(weight)}</p>
      <NumberField label="Height" value={({} as { height: number }).height} onChange={setWeight} />
      <TimeField label="Opens at" value={time} onChange={setTime} />
      <PasswordField label="Password" value={word} onChange={setWord} />
      <Switch label="Open today" value={isOpen} onChange={setIsOpen} />
      <CheckboxGroup label="Days" value={days} onChange={setDays} hint="When you bake." options={[{ value: 'mon', label: 'Monday' }, { value: 'tue', label: 'Tuesday' }]} />
      <p>Chosen: {days.join(' ')}</p>
      <BarList label="Sales" bars={[{ label: 'Monday', value: 10 }, { label: 'Tuesday', value: 5 }]} />
    </>
  )
}

const SALES = [{ label: 'Jan', value: 120 }, { label: 'Feb', value: 80, text: '80 loaves' }, { label: 'Mar', value: 150 }]
const SQUARE = (color: string) => 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="' + color + '"/></svg>')

function Charts() {
  return (
    <>
      <Stats><Stat label="Sold" value="350" /><Stat label="Days" value={90} note="A quarter" /></Stats>
      <div className="columns">
        <Card><LineChart label="Loaves" data={SALES} /></Card>
        <Card><BarChart label="Rolls" data={SALES} /></Card>
        <Card><DonutChart label="Shares" data={SALES} /></Card>
      </div>
      <Gallery label="Shop" images={[
        { key: 'a', src: SQUARE('teal'), alt: 'The oven', title: 'Oven', note: 'Since 1920' },
        { key: 'b', src: SQUARE('brown'), alt: 'A loaf of rye' },
      ]} />
    </>
  )
}

function Plan() {
  const [day, setDay] = useState('')
  return (
    <>
      <Calendar label="Deliveries" items={[{ key: 'a', date: '2026-12-24', title: 'Stollen' }, { key: 'b', date: null, title: 'Some day' }, { key: 'c', date: '2026-12-26', title: 'Twelve rye loaves and a marzipan cake for the choir of Saint Mary' }]} onOpen={(key) => setDay('opened ' + key)} onAdd={setDay} />
      <p>Day: {day}</p>
      <Board collection="people" field="level" onMove={(person, level) => api.patch('/api/people/' + person.id, { level })} />
    </>
  )
}

export default function Home() {
  const summary = useApi<{ text: string }>('/api/summary', { follow: ['people'] })
  const close = useAction(() => api.post('/api/close'))
  const [isAsking, setIsAsking] = useState(false)
  const [isHiring, setIsHiring] = useState(false)
  const [isNaming, setIsNaming] = useState(false)
  const [name, setName] = useState('')
  return (
    <Page title="Bakery" actions={<Button kind="primary" onClick={() => setIsNaming(true)}>Name it</Button>}>
      <Stat label="Summary" value={summary.data?.text ?? '…'} note={useToday()} />
      <Card title="Close the bakery">
        {close.problem && <Notice>{close.problem.text}</Notice>}
        <Button busy={close.busy} onClick={close.run}>Close</Button>
        <Button onClick={() => setIsHiring(true)}>Hire people</Button>
        <Button kind="danger" onClick={() => setIsAsking(true)}>Sell</Button>
      </Card>
      <Tabs label="Views" tabs={[
        { key: 'cakes', title: 'Cakes', content: <Cakes /> },
        { key: 'fields', title: 'Fields', content: <Fields /> },
        { key: 'charts', title: 'Charts', content: <Charts /> },
        { key: 'plan', title: 'Plan', content: <Plan /> },
      ]} />
      <RecordList collection="people" totals={['age', 'salary']} csv="people.csv" onDelete={({ id }) => api.delete('/api/people/' + id)} />
      <RecordForm collection="people" submitLabel="Add person" />
      <Button onClick={() => downloadText('note.txt', csvOf([['=1+1', 'a "b"', 3]]))}>Save note</Button>
      <ConfirmDialog title="Sell the bakery?" open={isAsking} onClose={() => setIsAsking(false)} confirmLabel="Sell the bakery" onConfirm={() => api.post('/api/close')}>
        Everything goes.
      </ConfirmDialog>
      <Dialog title="Name it" open={isNaming} onClose={() => setIsNaming(false)}>
        <form><TextField label="New name" value={name} onChange={setName} /></form>
      </Dialog>
      <Dialog title="Hire" open={isHiring} onClose={() => setIsHiring(false)}>
        <RecordForm collection="people" fields={['name', 'age']} submitLabel="Hire" />
      </Dialog>
    </Page>
  )
}
`
