import type { FieldSpec } from '../../kernel/manifest.ts'

/** Converts a value to another field type. Returns null when it cannot be converted. */
export function convertValue(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  switch (type) {
    case 'number':
    case 'integer': {
      const number = typeof value === 'boolean' ? Number(value) : Number.parseFloat(withPlainDecimals(text))
      if (!Number.isFinite(number)) return null
      return type === 'integer' ? Math.round(number) : number
    }
    case 'boolean':
      return ['true', '1', 'yes', 'on'].includes(text.trim().toLowerCase())
    case 'date':
      return Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString().slice(0, 10)
    case 'list':
      return Array.isArray(value) ? value.map(String) : [text]
    case 'json':
      return value
    default:
      return text
  }
}

/** A number in groups of three digits: with two groups at least, or with decimals after the other separator. */
const GROUPED = /^([+-]?\d{1,3}(?:([.,])\d{3}(?:\2\d{3})*))(?:(?!\2)[.,](\d*)|(?<=\2.*\2.*))$/

/**
 * Returns the text with a point before its decimals and without digit grouping. A single separator counts as the decimal separator, because
 * the language of the text is not known.
 */
function withPlainDecimals(text: string): string {
  const plain = text.trim().replaceAll(/(?<=\d)[\s'’](?=\d{3})/g, '')
  const [, whole, , decimals = ''] = GROUPED.exec(/^[+-]?[\d.,]+/.exec(plain)?.[0] ?? '') ?? []
  return whole === undefined ? plain.replace(',', '.') : `${whole.replaceAll(/[.,]/g, '')}.${decimals}`
}

/**
 * Converts a stored value to the field type that the reading release declares. Two releases may declare different types, during a rollout
 * or after a rollback.
 */
export function asDeclaredType(spec: FieldSpec, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return hasType(spec.type, value) ? value : convertValue(value, spec.type)
}

function hasType(type: FieldSpec['type'], value: unknown): boolean {
  switch (type) {
    case 'number':
    case 'integer':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'json':
      return true
    default:
      return typeof value === 'string'
  }
}
