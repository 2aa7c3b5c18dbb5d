import { Fragment, useState } from 'react'
import { fileLink, type FileLocation } from '../../data/file-link.ts'
import { digitsOf, formatMoney } from '../../web/money.ts'
import { manifest } from '../../manifest.gen.ts'
import { type FieldSpec, fieldTitle, isRefList } from '../../kernel/manifest.ts'
import { Badge } from '../badge.tsx'
import { Icon } from '../icons.tsx'
import { useReferenced } from './referenced.ts'
import { enumLabel, recordName } from '../words.ts'

interface RecordValueProps {
  spec: FieldSpec
  value: unknown
  place: FileLocation
}

const NO_VALUE = <span className="value-none">–</span>

export function RecordValue({ spec, value, place }: RecordValueProps) {
  if (value === null || value === undefined || value === '') return NO_VALUE
  switch (spec.type) {
    case 'boolean':
      return value === true ? (
        <span className="value-yes">
          <Icon name="check" size={16} /> Yes
        </span>
      ) : (
        <span className="value-none">No</span>
      )
    case 'number':
    case 'integer':
      return <span className="value-number">{formatNumber(Number(value), spec)}</span>
    case 'date':
      return <time dateTime={String(value)}>{formatDate(String(value))}</time>
    case 'enum':
      return <Badge hue={spec.values?.indexOf(String(value))}>{enumLabel(String(value))}</Badge>
    case 'ref':
      return <RefValue collection={spec.ref ?? ''} team={place.partition} id={String(value)} />
    case 'list':
      if (!Array.isArray(value) || value.length === 0) return NO_VALUE
      return isRefList(spec) ? (
        <RefValues collection={spec.ref ?? ''} team={place.partition} ids={value} />
      ) : (
        value.join(', ')
      )
    case 'file':
      return (
        <FileValue
          key={String(value)}
          title={fieldTitle(place.field, spec)}
          place={{ ...place, file: value }}
        />
      )
    case 'json':
      return <code className="value-long">{JSON.stringify(value)}</code>
    default:
      return <TextValue as={spec.as} text={String(value)} />
  }
}

function TextValue({ as, text }: { as: FieldSpec['as']; text: string }) {
  if (as === 'email') return <a href={`mailto:${text}`}>{text}</a>
  // Link only web addresses, because a stored javascript: address must not run.
  if (as === 'url' && /^https?:\/\//i.test(text)) {
    return (
      <a href={text} target="_blank" rel="noopener noreferrer">
        {text.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')}
      </a>
    )
  }
  return as === 'long' ? <span className="value-long">{text}</span> : text
}

/** Shows a file as a picture, or as a link when the browser cannot load it as a picture. */
function FileValue({ title, place }: { title: string; place: FileLocation }) {
  const [isPicture, setIsPicture] = useState(true)
  return (
    <a className="value-file" href={fileLink(place)} target="_blank" rel="noopener">
      {isPicture ? (
        <img
          src={fileLink({ ...place, width: 128 })}
          alt={`Open: ${title}`}
          loading="lazy"
          onError={() => setIsPicture(false)}
        />
      ) : (
        'Open the file'
      )}
    </a>
  )
}

interface Refs {
  collection: string
  team: string | undefined
}

function RefValue({ collection, team, id }: Refs & { id: string }) {
  const { record, status } = useReferenced(collection, id, team)
  const spec = manifest.collections[collection]
  if (record !== null && spec !== undefined) return recordName(record, spec)
  return <span className="value-none">{status === 'loading' ? '…' : 'Deleted'}</span>
}

function RefValues({ ids, ...refs }: Refs & { ids: unknown[] }) {
  return ids.map((id, i) => (
    <Fragment key={String(id)}>
      {i > 0 && ', '}
      <RefValue {...refs} id={String(id)} />
    </Fragment>
  ))
}

/** Formats a number in the reader's language. */
export const formatNumber = (value: number, { currency }: Partial<FieldSpec> = {}): string =>
  currency === undefined
    ? // Group digits only from five digits on: a number of four digits is often a year. By default 0.0004 would be shown as 0.
      value.toLocaleString(undefined, { useGrouping: 'min2', maximumFractionDigits: 6 })
    : formatMoney(value, currency)

function formatDate(value: string): string {
  const hasTime = value.includes('T')
  // Parse a date as noon: parsed as midnight UTC it would show the previous day west of Greenwich.
  const date = hasTime ? new Date(value) : new Date(`${value}T12:00:00`)
  const options = hasTime
    ? ({ dateStyle: 'medium', timeStyle: 'short' } as const)
    : ({ dateStyle: 'medium' } as const)
  return Number.isNaN(date.getTime()) ? value : new Intl.DateTimeFormat(undefined, options).format(date)
}

/**
 * Returns the text by which a value is found: the shown text, and the value as people type it. Empty for references and files, which have
 * only ids.
 */
export function searchTextOf(value: unknown, spec: FieldSpec): string {
  if (value === null || value === undefined) return ''
  switch (spec.type) {
    case 'boolean':
    case 'ref':
    case 'file':
      return ''
    case 'number':
    case 'integer': {
      const plain = spec.currency === undefined ? value : Number(value) / 10 ** digitsOf(spec.currency)
      return `${String(plain)} ${formatNumber(Number(value), spec)}`
    }
    case 'date':
      return `${String(value)} ${formatDate(String(value))}`
    case 'enum':
      return enumLabel(String(value))
    case 'list':
      return isRefList(spec) || !Array.isArray(value) ? '' : value.join(' ')
    case 'json':
      return JSON.stringify(value)
    default:
      return String(value)
  }
}
