import type { AccessTables } from './tables/access.ts'
import type { AccountTables } from './tables/account.ts'
import type { AppMailTables } from './tables/app-mail.ts'
import type { AssetsTables } from './tables/assets.ts'
import type { AttachmentsTables } from './tables/attachments.ts'
import type { AuthTables } from './tables/auth.ts'
import type { BillingTables } from './tables/billing.ts'
import type { CapabilitiesTables } from './tables/capabilities.ts'
import type { ConnectionsTables } from './tables/connections.ts'
import type { DeviceTables } from './tables/device.ts'
import type { DomainTables } from './tables/domain.ts'
import type { EventsTables } from './tables/events.ts'
import type { HelpTables } from './tables/help.ts'
import type { IngestTables } from './tables/ingest.ts'
import type { LeaseTables } from './tables/leases.ts'
import type { LimitsTables } from './tables/limits.ts'
import type { MailTables } from './tables/mail.ts'
import type { MovesTables } from './tables/moves.ts'
import type { OperationsTables } from './tables/operations.ts'
import type { PayTables } from './tables/pay.ts'
import type { PlanTables } from './tables/plan.ts'
import type { ProjectsTables } from './tables/projects.ts'
import type { RunsTables } from './tables/runs.ts'
import type { SecurityTables } from './tables/security.ts'
import type { TicketsTables } from './tables/tickets.ts'
import type { VersionsTables } from './tables/versions.ts'
import type { WebhooksTables } from './tables/webhooks.ts'

// `tables/<area>.ts` has one interface for each table, with exactly the columns that migrations/*.sql create. A test
// parses these files line by line and compares every column, null, default and type with the database, so write one
// column per line.

export interface Schema
  extends
    AccessTables,
    AccountTables,
    AppMailTables,
    AssetsTables,
    AttachmentsTables,
    AuthTables,
    BillingTables,
    CapabilitiesTables,
    ConnectionsTables,
    DeviceTables,
    DomainTables,
    EventsTables,
    HelpTables,
    IngestTables,
    LeaseTables,
    LimitsTables,
    MailTables,
    MovesTables,
    OperationsTables,
    PayTables,
    PlanTables,
    ProjectsTables,
    RunsTables,
    SecurityTables,
    TicketsTables,
    VersionsTables,
    WebhooksTables {}
