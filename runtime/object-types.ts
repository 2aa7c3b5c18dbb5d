// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import type * as connect from './connect/object-types.ts'
import type * as email from './email/object-types.ts'
import type * as events from './events/object-types.ts'
import type * as hook from './hook/object-types.ts'
import type * as meter from './meter/object-types.ts'
import type * as pay from './pay/object-types.ts'
import type * as push from './push/object-types.ts'
import type * as queue from './queue/object-types.ts'
import type * as schedule from './schedule/object-types.ts'
import type * as video from './video/object-types.ts'

/** The methods that all capabilities add to the project's Durable Object class. */
export interface PartMethods
  extends
    email.Methods,
    pay.Methods,
    schedule.Methods,
    queue.Methods,
    connect.Methods,
    hook.Methods,
    video.Methods,
    push.Methods,
    events.Methods,
    meter.Methods {}

/** The data of all capabilities that is copied when an app moves to another account. */
export interface PartHeads
  extends email.Head, schedule.Head, connect.Head, hook.Head, push.Head, meter.Head {}
