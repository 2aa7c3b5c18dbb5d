// Made by `npm run generate` from the files `*.routes.ts`. Do not edit.
import { accountRoutes } from '../account/account.routes.ts'
import { activityRoutes } from '../activity/activity.routes.ts'
import { attachmentRoutes } from '../attachments/attachments.routes.ts'
import { backupRoutes } from '../backup/backup.routes.ts'
import { billingRoutes } from '../billing/billing.routes.ts'
import { buildRoutes } from '../builds/builds.routes.ts'
import { buildControlRoutes } from '../builds/control.routes.ts'
import { accessRoutes } from '../capabilities/access/access.routes.ts'
import { capabilityRoutes, operatorRoutes } from '../capabilities/capabilities.routes.ts'
import { mailRoutes } from '../capabilities/email/mail.routes.ts'
import { paymentRoutes } from '../capabilities/pay/payments.routes.ts'
import { closingRoutes } from '../closing/closing.routes.ts'
import { connectionRoutes } from '../connections/connections.routes.ts'
import { modelConnectionRoutes } from '../connections/models/models.routes.ts'
import { tokenLimitRoutes } from '../connections/token-limits.routes.ts'
import { deviceRoutes } from '../device/device.routes.ts'
import { domainRoutes } from '../domain/domain.routes.ts'
import { healthRoutes } from '../health/health.routes.ts'
import { deskRoutes } from '../help/desk.routes.ts'
import { helpRoutes } from '../help/help.routes.ts'
import { ingestRoutes, ingressRoutes } from '../ingest/ingest.routes.ts'
import { invitationRoutes } from '../invitations/invitations.routes.ts'
import { keyRoutes } from '../keys/keys.routes.ts'
import { meRoutes } from '../me/me.routes.ts'
import { memberRoutes } from '../members/members.routes.ts'
import { planRoutes } from '../plan/plan.routes.ts'
import { projectRoutes } from '../projects/projects.routes.ts'
import { releaseRoutes, rollbackRoutes } from '../releases/releases.routes.ts'
import { resourceRoutes, ceilingRoutes } from '../resources/resources.routes.ts'
import { securityRoutes } from '../security/security.routes.ts'
import { signalRoutes } from '../signals/signals.routes.ts'
import { ssoRoutes } from '../sso/sso.routes.ts'
import { ticketRoutes } from '../tickets/tickets.routes.ts'
import { versionRoutes } from '../versions/versions.routes.ts'
import { webhookRoutes } from '../webhooks/webhooks.routes.ts'
import type { Endpoint } from '../http/endpoint.ts'

export const ENDPOINT_GROUPS: readonly Endpoint[][] = [
  projectRoutes,
  accessRoutes,
  closingRoutes,
  ticketRoutes,
  planRoutes,
  buildRoutes,
  buildControlRoutes,
  versionRoutes,
  backupRoutes,
  releaseRoutes,
  domainRoutes,
  mailRoutes,
  paymentRoutes,
  rollbackRoutes,
  resourceRoutes,
  signalRoutes,
  capabilityRoutes,
  operatorRoutes,
  attachmentRoutes,
  connectionRoutes,
  modelConnectionRoutes,
  tokenLimitRoutes,
  ceilingRoutes,
  keyRoutes,
  webhookRoutes,
  deviceRoutes,
  ingestRoutes,
  invitationRoutes,
  memberRoutes,
  securityRoutes,
  ssoRoutes,
  activityRoutes,
  billingRoutes,
  accountRoutes,
  helpRoutes,
  deskRoutes,
  meRoutes,
  ingressRoutes,
  healthRoutes,
]
