// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import { part as ai } from './ai/part.ts'
import { part as auth } from './auth/part.ts'
import { part as call } from './call/part.ts'
import { part as connect } from './connect/part.ts'
import { part as data } from './data/part.ts'
import { part as directory } from './directory/part.ts'
import { part as email } from './email/part.ts'
import { part as events } from './events/part.ts'
import { part as files } from './files/part.ts'
import { part as hook } from './hook/part.ts'
import { part as live } from './live/part.ts'
import { part as meter } from './meter/part.ts'
import { part as pay } from './pay/part.ts'
import { part as push } from './push/part.ts'
import { part as queue } from './queue/part.ts'
import { part as render } from './render/part.ts'
import { part as schedule } from './schedule/part.ts'
import { part as team } from './team/part.ts'
import { part as video } from './video/part.ts'
import type { MembersOf, ReadsOf, SomePart } from './kernel/objects/part.ts'

export const PARTS: readonly SomePart[] = [
  auth,
  team,
  data,
  files,
  email,
  ai,
  pay,
  live,
  call,
  schedule,
  queue,
  connect,
  hook,
  render,
  video,
  push,
  events,
  meter,
  directory,
]

/** The members of `PartContext` that the parts provide. */
export type ProvidedMember =
  | MembersOf<typeof auth>
  | MembersOf<typeof team>
  | MembersOf<typeof data>
  | MembersOf<typeof ai>
  | MembersOf<typeof live>
  | MembersOf<typeof directory>

declare module './kernel/objects/admin.ts' {
  interface OperatorBinding
    extends
      ReadsOf<typeof auth>,
      ReadsOf<typeof team>,
      ReadsOf<typeof data>,
      ReadsOf<typeof files>,
      ReadsOf<typeof email>,
      ReadsOf<typeof ai>,
      ReadsOf<typeof pay>,
      ReadsOf<typeof live>,
      ReadsOf<typeof call>,
      ReadsOf<typeof schedule>,
      ReadsOf<typeof queue>,
      ReadsOf<typeof connect>,
      ReadsOf<typeof hook>,
      ReadsOf<typeof render>,
      ReadsOf<typeof video>,
      ReadsOf<typeof push>,
      ReadsOf<typeof events>,
      ReadsOf<typeof meter>,
      ReadsOf<typeof directory> {}
}
