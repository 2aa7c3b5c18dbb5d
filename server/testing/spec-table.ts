/**
 * Copied by hand from the contract: each route and who may call it. It is not derived from the code, so that
 * a changed declaration cannot drop a route or widen its access unnoticed.
 */
export const SPEC_TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Projects: {
    'GET /projects': 'projects:read',
    'GET /projects/:projectId': 'projects:read',
    'POST /projects': 'projects:write',
    'PATCH /projects/:projectId': 'projects:write',
    'DELETE /projects/:projectId': 'deploy:write',
    'POST /projects/:projectId/archive': 'deploy:write',
    'POST /projects/:projectId/unarchive': 'deploy:write',
    'GET /projects/:projectId/source': 'projects:read',
    'GET /projects/:projectId/files': 'projects:read',
  },
  Tickets: {
    'POST /projects/:projectId/tickets/capture': 'tickets:write',
    'GET /projects/:projectId/tickets': 'projects:read',
    'GET /projects/:projectId/tickets/:ticketId': 'projects:read',
    'POST /projects/:projectId/tickets': 'tickets:write',
    'PATCH /projects/:projectId/tickets/:ticketId': 'tickets:write',
    'GET /projects/:projectId/tickets/stats': 'projects:read',
    'GET /projects/:projectId/tickets/tree': 'projects:read',
    'GET /projects/:projectId/tickets/search': 'projects:read',
    'GET /projects/:projectId/tickets/labels': 'projects:read',
    'POST /projects/:projectId/tickets/rollups': 'projects:read',
  },
  'Plan thread': {
    'GET /projects/:projectId/readme': 'projects:read',
    'GET /projects/:projectId/plan/messages': 'projects:read',
    'POST /projects/:projectId/plan/message': 'tickets:write',
    'POST /projects/:projectId/plan/stream': 'tickets:write',
    'POST /projects/:projectId/plan/stop': 'tickets:write',
    'POST /projects/:projectId/plan/retry': 'tickets:write',
  },
  'Webhooks and ingest': {
    'GET /webhooks': 'projects:read',
    'POST /webhooks': 'session',
    'DELETE /webhooks/:id': 'projects:write',
    'GET /ingest': 'projects:read',
    'POST /ingest': 'session',
    'DELETE /ingest/:id': 'projects:write',
  },
  'Ingest ingress': {
    'POST /i/:id': 'public',
  },
  'Account activity': {
    'GET /activity': 'projects:read',
    'GET /activity/export': 'projects:read',
  },
  'Session-only: account': {
    'GET /account/export': 'session, owners and admins',
    'GET /account/deletion': 'session',
    'POST /account/deletion/step': 'session',
  },
  'Session-only: help': {
    'GET /help': 'session',
    'POST /help': 'session',
    'POST /help/attachments': 'session',
    'GET /help/attachments/:attachmentId': 'session',
    'GET /help/:threadId': 'session',
    'POST /help/:threadId/messages': 'session',
  },
  'Session-only: keys and device': {
    'GET /keys': 'session',
    'POST /keys': 'session',
    'DELETE /keys/:id': 'session',
    'GET /device/grant': 'session',
    'POST /device/approve': 'session',
  },
  'Session-only: billing': {
    'GET /billing': 'session',
    // The contract does not say who may buy a plan; here only owners and admins may.
    'POST /billing/checkout': 'session, owners and admins',
    'POST /billing/portal': 'session, owners and admins',
  },
  'Public read': {
    'GET /invitations/:invitationId': 'public',
    'GET /health': 'public',
  },
}

export const SPEC_ROUTES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(SPEC_TABLE).flatMap((routes) => Object.entries(routes)),
)
