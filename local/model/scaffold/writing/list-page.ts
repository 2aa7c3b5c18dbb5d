import { type PageShape, shapeOf } from '../reading/shape.ts'
import type { AccessLevel } from '../reading/access.ts'
import type { WantedList } from '../reading/lists.ts'
import { article, namesOf } from '../reading/names.ts'
import { teamPageSource } from './team-page.ts'
import { capitalize, sentenceCase } from '../reading/words.ts'

interface SourceParts {
  /** Names to import from `@slipway/app/react`. */
  names: string[]
  /** Source text: `above` before the component, `lines` in its body, and `body` in the JSX that it returns. */
  above: string
  lines: string
  body: string
}

export function pageSource(wanted: WantedList): string {
  const { one, many, component } = namesOf(wanted.collection)
  const access = wanted.access ?? 'open'
  if (access === 'team') return teamPageSource(wanted)
  const gate = ACCESS_GATES[access]
  const shape = shapeOf(wanted)
  const view = listView(wanted, shape, gate?.may ?? null)
  const isForm = shape.is === 'form'
  const own = access === 'authors' ? `You can change and delete the ${many} that you added.` : null
  const add = isForm ? inlineForm(wanted, gate, own) : dialogForm(wanted, shape)
  const window = windowOf(wanted, shape)
  const button = `<Button kind="primary" onClick={() => ${window.open}}>
          Add ${one}
        </Button>`
  const actions = gate === undefined ? button : `${gate.may} && (\n          ${indentRest(button)}\n        )`
  const head = [
    `title="${wanted.title}"`,
    ...(!isForm && own !== null ? [`description="${own}"`] : []),
    ...(isForm ? [] : [`actions={\n        ${actions}\n      }`]),
  ]
  const invite = access === 'readers' && !isForm ? signInLine(many) : ''
  const names = new Set([
    'Page',
    ...(wanted.isPosted === true ? ['api'] : []),
    ...view.names,
    ...add.names,
    ...(isForm ? [] : ['Button']),
    ...(access === 'readers' ? ['Link'] : []),
    ...(gate === undefined ? [] : ['useUser']),
  ])
  const state = isForm ? '' : `  const ${window.state}\n`
  const imports = [...names, ...(shape.is === 'calendar' ? ['type InputOf'] : [])].toSorted((a, b) =>
    withoutTypeKeyword(a).localeCompare(withoutTypeKeyword(b), 'en'),
  )
  return `import { ${imports.join(', ')} } from '@slipway/app/react'
${isForm ? '' : "import { useState } from 'react'\n"}${view.above}
export default function ${names.has(component) ? `${component}Page` : component}() {
${gate === undefined ? '' : '  const user = useUser()\n'}${state}${view.lines}  return (
    <Page
      ${head.join('\n      ')}
    >
${[...(isForm ? [add.body] : [invite, view.body, add.body]), ...(isForm ? [view.body] : [])].filter(Boolean).join('\n')}
    </Page>
  )
}
`
}

/**
 * Returns source of the React state of the dialog with the form. For a calendar the state contains the chosen
 * day.
 */
const windowOf = ({ collection }: WantedList, shape: PageShape) =>
  shape.is === 'calendar'
    ? {
        state: `[adding, setAdding] = useState<Partial<InputOf<'${collection}'>> | null>(null)`,
        open: 'setAdding({})',
        isOpen: 'adding !== null',
        close: 'setAdding(null)',
      }
    : {
        state: '[isAdding, setIsAdding] = useState(false)',
        open: 'setIsAdding(true)',
        isOpen: 'isAdding',
        close: 'setIsAdding(false)',
      }

const withoutTypeKeyword = (name: string) => name.replace('type ', '')

/**
 * The condition, as source text, under which a page shows its form. Only for access levels where everyone may read the page but not write.
 */
const ACCESS_GATES: Partial<Record<AccessLevel, { may: string }>> = {
  readers: { may: 'user' },
  staff: { may: "user?.role === 'staff'" },
}

const signInLine = (many: string) => `      {user === null && (
        <p>
          <Link to="/sign-in">Sign in</Link> to add and change ${many}.
        </p>
      )}`

/** The text of an empty list, which says who will see its records. */
const EMPTY_LIST_TEXT: Record<AccessLevel, string> = {
  open: 'What is added appears here, for everyone who opens this page.',
  readers: 'What is added appears here, for everyone who opens this page.',
  members: 'What is added appears here, for everyone who is signed in.',
  authors: 'What is added appears here, for everyone who is signed in.',
  own: 'What you add appears here, and only you see it.',
  team: 'What is added appears here, for everyone in the team.',
  staff: 'What is added appears here.',
}

/** Indents all lines except the first, which follows other text. */
const indentRest = (source: string, by = 2) => source.replaceAll('\n', `\n${' '.repeat(by)}`)

type FormSource = Pick<SourceParts, 'names' | 'body'>

/** With `isPosted`, the form sends the record to a route of the app. */
const postingAttribute = ({ collection, isPosted = false }: WantedList, before: string) =>
  isPosted ? `${before}onSubmit={(input) => api.post('/api/${collection}', input)}` : ''

function inlineForm(wanted: WantedList, gate: { may: string } | undefined, own: string | null): FormSource {
  const { one, many } = namesOf(wanted.collection)
  const form = `<Card title="Add ${article(one)} ${one}">
        ${own === null ? '' : `<p>${own}</p>\n        `}<RecordForm collection="${wanted.collection}" submitLabel="Add ${one}"${postingAttribute(wanted, ' ')} />
      </Card>`
  const gated = gate === undefined ? form : `{${gate.may} && (\n        ${indentRest(form)}\n      )}`
  const invite = wanted.access === 'readers' ? `\n${signInLine(many)}` : ''
  return { names: ['Card', 'RecordForm'], body: `      ${gated}${invite}` }
}

function dialogForm(wanted: WantedList, shape: PageShape): FormSource {
  const { collection, one } = namesOf(wanted.collection)
  const window = windowOf(wanted, shape)
  return {
    names: ['Dialog', 'RecordForm', 'showToast'],
    body: `      <Dialog title="Add ${article(one)} ${one}" open={${window.isOpen}} onClose={() => ${window.close}}>
        <RecordForm
          collection="${collection}"${shape.is === 'calendar' ? '\n          initial={adding ?? {}}' : ''}${postingAttribute(wanted, '\n          ')}
          submitLabel="Add ${one}"
          onSaved={() => {
            ${window.close}
            showToast('${capitalize(one)} added')
          }}
        />
      </Dialog>`,
  }
}

/** Returns the source of the list, and of the board, calendar or charts that `shape` adds to it. */
function listView(wanted: WantedList, shape: PageShape, may: string | null): SourceParts {
  const { collection } = wanted
  const { many, one } = namesOf(collection)
  const isRouted = (wanted.access ?? 'open') === 'open' || wanted.isLimited === true
  const mutationCall = (act: 'update' | 'remove', input: string) =>
    isRouted
      ? `api.${act === 'update' ? 'patch' : 'delete'}(\`/api/${collection}/\${record.id}\`${input})`
      : `data.${act}('${collection}', record.id${input})`
  const whenAllowed = (act: string) => (may === null ? act : `${may} ? ${act} : undefined`)
  const acts = `onEdit={${whenAllowed(`(record, input) => ${mutationCall('update', ', input')}`)}}
    onDelete={${whenAllowed(`(record) => ${mutationCall('remove', '')}`)}}`
  const isForm = shape.is === 'form'
  const first = isForm && may === null ? 'Add the first one above.' : EMPTY_LIST_TEXT[wanted.access ?? 'open']
  const add =
    isForm || may !== null
      ? ''
      : ` action={<Button onClick={() => ${windowOf(wanted, shape).open}}>Add the first ${one}</Button>}`
  const empty = `<EmptyState title="No ${many} yet"${add}>
    ${first}
  </EmptyState>`
  const listWith = (empties: string) => `<RecordList
    collection="${collection}"
    empty={${empties}}
    ${acts}
  />`
  const list = indentRest(listWith(`\n      ${indentRest(empty, 4)}\n    `), 4)
  const names = [isRouted ? 'api' : 'data', 'EmptyState', 'RecordList']
  const makeParts = (more: string[], body: string, lines = '', above = ''): SourceParts => ({
    names: [...names, ...more],
    above: above === '' ? '' : `\n${above}`,
    lines,
    body: `      ${body}`,
  })
  /** Returns the parts of a page with two tabs: `view` and the list. `view` is source text that may use the variable `empty`. */
  const tabsPage = (key: string, view: string, more: string[], lines = '') => {
    const constOf = (name: string, source: string) => `  const ${name} = (\n    ${indentRest(source)}\n  )\n`
    const usesEmpty = view.includes('{empty}')
    return makeParts(
      ['Tabs', ...more],
      `<Tabs
        label="Views"
        tabs={[
          { key: '${key}', title: '${capitalize(key)}', content: ${key} },
          { key: 'list', title: 'List', content: list },
        ]}
      />`,
      [
        lines,
        ...(usesEmpty ? [constOf('empty', empty)] : []),
        constOf(key, view),
        constOf('list', listWith(usesEmpty ? 'empty' : `\n      ${indentRest(empty, 2)}\n    `)),
      ].join(''),
    )
  }
  const rows = `  const { rows, more } = useQuery('${collection}', { limit: 200 })\n`
  switch (shape.is) {
    case 'board':
      // Show a board only where everyone may change records, because its cards can be moved.
      return may === null
        ? tabsPage(
            'board',
            `<Board
    collection="${collection}"
    field="${shape.status}"
    onMove={(record, value) => ${mutationCall('update', `, { ${shape.status}: value }`)}}
    empty={empty}
    ${acts}
  />`,
            ['Board'],
          )
        : makeParts([], list)
    case 'calendar': {
      const title = `record.${shape.title}${shape.isTitled ? '' : ` ?? '${capitalize(one)}'`}`
      const onAdd = may === null ? `\n    onAdd={(${shape.date}) => setAdding({ ${shape.date} })}` : ''
      return tabsPage(
        'calendar',
        `<Calendar
    label="${wanted.title}"
    items={rows.map((record) => ({ key: record.id, date: record.${shape.date}, title: ${title} }))}${onAdd}
  />`,
        ['Calendar', 'useQuery'],
        rows.replace(', more', ''),
      )
    }
    case 'money':
      return moneyParts(shape, wanted, rows, makeParts, list)
    default:
      return makeParts([], list)
  }
}

/** Returns the source of the sums and charts above the list. */
function moneyParts(
  { amount, group, date }: PageShape & { is: 'money' },
  { title, fields }: WantedList,
  rows: string,
  parts: (more: string[], body: string, lines: string, above: string) => SourceParts,
  list: string,
): SourceParts {
  const label = sentenceCase(amount)
  const groupOf =
    group === null ? '' : `record.${group}${fields[group]?.required === true ? '' : " ?? 'Other'"}`
  const charts = [
    ...(date === null
      ? []
      : [
          `  <Card>\n              <BarChart label="${label} by month" data={byMonth} />\n            </Card>`,
        ]),
    ...(group === null
      ? []
      : [
          `  <Card>\n              <DonutChart label="${label} by ${sentenceCase(group).toLowerCase()}" data={byGroup} />\n            </Card>`,
        ]),
  ]
  const lines = `${rows}  const total = rows.reduce((sum, record) => sum + (record.${amount} ?? 0), 0)
${group === null ? '' : `  const byGroup = sumBy(rows.map((record) => ({ label: ${groupOf}, value: record.${amount} ?? 0 })))\n    .toSorted((a, b) => b.value - a.value)\n    .slice(0, 6)\n`}${
    date === null
      ? ''
      : `  const byMonth = sumBy(
    rows
      .flatMap((record) => (record.${date} ? [{ label: record.${date}.slice(0, 7), value: record.${amount} ?? 0 }] : []))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
  )
    .slice(-6)
    .map(({ label, value }) => ({ label: monthOf(label), value }))\n`
  }`
  const above =
    charts.length === 0
      ? ''
      : `/** One point for each label, with the sum of its values. */
function sumBy(points: { label: string; value: number }[]) {
  const sums = new Map<string, number>()
  for (const { label, value } of points) sums.set(label, (sums.get(label) ?? 0) + value)
  return [...sums].map(([label, value]) => ({ label, value }))
}
${
  date === null
    ? ''
    : `
const monthOf = (month: string) =>
  new Date(\`\${month}-15\`).toLocaleDateString(undefined, { month: 'short', year: 'numeric' })
`
}`
  const body = `{rows.length > 0 && (
        <>
          <Stats>
            <Stat label="${label} in total" value={total.toLocaleString()} />
            <Stat label="${title}" value={more === null ? rows.length : \`\${rows.length}+\`} />
            <Stat label="On average" value={(total / rows.length).toLocaleString(undefined, { maximumFractionDigits: 2 })} />
          </Stats>${charts.length === 0 ? '' : `\n          <div className="columns">\n          ${charts.join('\n          ')}\n          </div>`}
        </>
      )}
      ${list}`
  const names = [
    ...(charts.length === 0 ? [] : ['Card']),
    ...(date === null ? [] : ['BarChart']),
    ...(group === null ? [] : ['DonutChart']),
  ]
  return parts(['Stat', 'Stats', 'useQuery', ...names], body, lines, above)
}
