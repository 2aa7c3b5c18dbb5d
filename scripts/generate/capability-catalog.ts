import * as z from 'zod'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../../server/capability-catalog/catalog.ts'
import { pricesOf } from '../../server/capabilities/prices.ts'

/** Returns the source of the SDK module with everything a client needs to show and change capabilities. */
export function capabilityCatalog(): string {
  const entries = CAPABILITY_KEYS.map((key) => {
    const capability = capabilityOf(key)
    const { title, about, cost, settings, secrets, dependsOn } = capability
    const prices = pricesOf(capability)
    const { $schema: _version, ...schema } = z.toJSONSchema(settings, { io: 'input' })
    const needs = dependsOn(settings.parse({}))
    const given = Object.entries(secrets(settings.parse({}))).map(([name, { title, description }]) => ({
      name,
      title,
      description,
    }))
    return [key, { title, about, cost, prices, needs, settings: schema, secrets: given }] as const
  })
  return `// Made by \`npm run generate\` from server/capabilities. Do not edit.

export interface CapabilityMetadata {
  title: string
  /** What an app can do with the capability, in one sentence. */
  about: string
  /** What the capability costs in the connected account, to be shown before it is switched on. */
  cost: string
  /** The cost in money: what the account's plan includes each month, and the price beyond that. */
  prices: readonly { what: string; included: string; more: string }[]
  /** The capabilities that switching on this capability with its default settings also switches on. */
  needs: readonly string[]
  /** The JSON Schema of \`settings\`. Each property has a title and a description, and most have a default. */
  settings: { readonly properties?: Readonly<Record<string, unknown>>; readonly [keyword: string]: unknown }
  /** Secret values, which can be set but not read. Settings other than the defaults may need more secrets. */
  secrets: readonly { name: string; title: string; description: string }[]
}

export const CAPABILITIES = ${JSON.stringify(Object.fromEntries(entries), null, 2)} as const satisfies Record<
  string,
  CapabilityMetadata
>

export type CapabilityKey = keyof typeof CAPABILITIES
`
}

export function capabilityTable(): string {
  const rows = CAPABILITY_KEYS.map((key) => {
    const { title, cost, dependsOn, settings } = capabilityOf(key)
    const needs = dependsOn(settings.parse({}))
    const cells = [`\`${key}\``, title, needs.map((one) => `\`${one}\``).join(' '), cost]
    return `| ${cells.join(' | ')} |`
  })
  return `<!-- Made by \`npm run generate\` from server/capabilities. Do not edit. -->

# Capabilities

What each needs is switched on with it, under default settings.

| Key | Title | Needs | Cost |
|---|---|---|---|
${rows.join('\n')}

## In money

What the provider charges for what the built ones have in your account, in US dollars, on a paid Workers plan ($5 a month) as of
November 2026. What is included counts for the whole account, each month.

| Of | What | Included | More |
|---|---|---|---|
${priceRows().join('\n')}
`
}

/** Returns the rows of the price table. Capabilities with the same prices share their rows. */
function priceRows(): string[] {
  const byPrice = new Map<string, string[]>()
  for (const key of CAPABILITY_KEYS)
    for (const { what, included, more } of pricesOf(capabilityOf(key))) {
      const row = `${what} | ${included} | ${more}`
      byPrice.set(row, [...(byPrice.get(row) ?? []), `\`${key}\``])
    }
  return [...byPrice].map(([row, keys]) => `| ${keys.join(' ')} | ${row} |`)
}
