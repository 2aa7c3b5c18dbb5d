// @ts-nocheck -- generated code, which does not compile with exactOptionalPropertyTypes; calls of it are still checked
// Made by `npm run generate` from docs/api/openapi.json. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Failure = {
    ok: false;
    error: {
        code: 'invalid_request' | 'unauthorized' | 'forbidden' | 'forbidden_scope' | 'not_found' | 'not_enabled' | 'payment_required' | 'conflict' | 'model_required' | 'two_factor_required' | 'ip_not_allowed' | 'attachments_unsupported' | 'rate_limited' | 'model_error' | 'upstream_error' | 'unavailable' | 'server_error';
        message: string;
    };
};

export type Project = {
    id: string;
    name: string;
    slug: string;
    slugLocked: boolean;
    lifecycle: 'offline' | 'live' | 'archived';
    url: string | null;
    previewUrl: string | null;
    customDomain: string | null;
    provision: {
        state: 'creating' | 'idle' | 'error';
        error: {
            code: string;
            message: string;
        } | null;
    };
    repository: {
        provider: string;
        url: string;
    } | null;
    createdAt: string;
    updatedAt: string;
    deployedAt: string | null;
    archivedAt: string | null;
};

export type AppAccess = {
    enabled: boolean;
    since: string | null;
    /**
     * Whether the running app already applies it.
     */
    applied: boolean;
};

export type Ticket = {
    id: string;
    projectId: string;
    title: string;
    body: string;
    status: 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled';
    type: 'epic' | 'feature' | 'task' | 'bug' | 'chore';
    priority: 'none' | 'low' | 'medium' | 'high' | 'urgent';
    dueAt: string | null;
    parent: string | null;
    labels: Array<string>;
    /**
     * Ids of the tickets that must be in review or done before the queue builds this one.
     */
    dependsOn: Array<string>;
    origin: string | null;
    source: 'human' | 'agent' | 'ingest';
    url: string | null;
    build: {
        state: 'idle' | 'queued' | 'running' | 'awaiting';
        runId: string | null;
        outcome: 'built' | 'awaiting' | 'replied' | null;
        /**
         * Why the ticket left the build queue without a build; null again once it is queued or built.
         */
        refused: 'attachments' | 'awaiting' | 'ticket_tokens' | null;
    };
    /**
     * Keys of the attachments that go into every build.
     */
    attachments: Array<string>;
    createdBy: string | null;
    createdAt: string;
    updatedAt: string;
};

export type TicketStats = {
    total: number;
    /**
     * Neither done nor cancelled.
     */
    open: number;
    /**
     * Open, and due before now.
     */
    overdue: number;
    byStatus: {
        backlog: number;
        todo: number;
        in_progress: number;
        in_review: number;
        done: number;
        cancelled: number;
    };
    byType: {
        epic: number;
        feature: number;
        task: number;
        bug: number;
        chore: number;
    };
    byPriority: {
        none: number;
        low: number;
        medium: number;
        high: number;
        urgent: number;
    };
};

export type TicketRollup = {
    total: number;
    open: number;
    done: number;
    cancelled: number;
    byStatus: {
        backlog: number;
        todo: number;
        in_progress: number;
        in_review: number;
        done: number;
        cancelled: number;
    };
};

export type PlanMessage = {
    id: string;
    role: 'user' | 'agent';
    text: string;
    status: 'complete' | 'stopped' | 'failed';
    error: {
        kind: 'model_error' | 'rate_limited' | 'attachments_unsupported' | 'check_failed' | 'stuck' | 'step_limit' | 'time_limit' | 'budget' | 'context_limit' | 'interrupted' | 'unavailable' | 'server_error';
        message: string;
    } | null;
    attachments: Array<string>;
    /**
     * Ids of the tickets this reply has written.
     */
    tickets: Array<string>;
    /**
     * What this reply asks: its lines that end with a question mark. Open until the person writes again.
     */
    questions: Array<string>;
    model: string | null;
    usage: {
        input: number;
        output: number;
        cacheRead: number;
        cacheWrite: number;
    } | null;
    createdAt: string;
};

export type BuildResult = {
    status: 'built';
    runId: string;
    sha: string;
    summary: string;
    files: {
        [key: string]: string;
    };
    generatedBy: string;
    previewUrl: string | null;
} | {
    status: 'awaiting';
    runId: string;
    questions: Array<{
        id: string;
        question: string;
        options: Array<string>;
        default: string;
        multiple?: boolean;
    }>;
} | {
    status: 'replied';
    runId: string;
    message: string;
};

export type BuildRun = {
    id: string;
    projectId: string;
    ticketId: string;
    status: 'queued' | 'running' | 'awaiting' | 'succeeded' | 'failed' | 'cancelled';
    outcome: 'built' | 'awaiting' | 'replied' | null;
    attempt: number;
    resumedFrom: string | null;
    trigger: 'api' | 'stream' | 'queue';
    model: string;
    questions: Array<{
        id: string;
        question: string;
        options: Array<string>;
        default: string;
        multiple?: boolean;
    }> | null;
    message: string | null;
    sha: string | null;
    files: Array<{
        path: string;
        added: number;
        removed: number;
    }>;
    checks: Array<{
        name: 'manifest' | 'paths' | 'secrets' | 'bundle' | 'types' | 'lint' | 'boot' | 'tests' | 'pages' | string;
        ok: boolean;
        ms: number;
        errors: Array<{
            phase: string;
            file: string;
            line: number;
            column: number;
            code: string;
            message: string;
            excerpt: string;
        }>;
    }>;
    usage: {
        input: number;
        output: number;
        cacheRead: number;
        cacheWrite: number;
    };
    /**
     * What these tokens cost at the list price of the provider; null when it is not known.
     */
    costUsd: number | null;
    error: {
        kind: 'model_error' | 'rate_limited' | 'attachments_unsupported' | 'check_failed' | 'stuck' | 'step_limit' | 'time_limit' | 'budget' | 'context_limit' | 'interrupted' | 'unavailable' | 'server_error';
        message: string;
    } | null;
    startedAt: string | null;
    finishedAt: string | null;
    createdAt: string;
};

export type Attention = {
    items: Array<{
        projectId: string;
        projectName: string;
        ticketId: string;
        title: string;
        runId: string;
        /**
         * Asking and failed need a person until the ticket is built again, done or put back.
         */
        state: 'asking' | 'failed' | 'built' | 'replied';
        at: string;
    }>;
};

export type ProjectModel = {
    connectionId: string;
    provider: string;
    model: string;
    inherited: boolean;
};

export type BuildQueue = {
    running: {
        ticketId: string;
        title: string;
        runId: string;
    } | null;
    queued: Array<{
        ticketId: string;
        title: string;
        position: number;
        queuedAt: string;
        /**
         * What keeps the ticket from being built although it is its turn, and until when that is known.
         */
        waiting: {
            reason: 'model' | 'attachments' | 'allowance' | 'suspended' | 'awaiting' | 'paused' | 'tokens' | 'dependencies';
            until: string | null;
            /**
             * The tickets it waits for, when the reason is `dependencies`.
             */
            dependencies?: Array<{
                ticketId: string;
                /**
                 * Null when the ticket is gone.
                 */
                title: string | null;
                /**
                 * Why it will not be built unless a person acts: it is gone, was cancelled, its last build failed or asks something, or it is not queued. Null when it is queued or being built.
                 */
                problem: 'missing' | 'cancelled' | 'failed' | 'awaiting' | 'not_queued' | null;
            }>;
        } | null;
    }>;
};

export type Usage = {
    total: {
        /**
         * Includes the tokens that were read from the cache.
         */
        input: number;
        output: number;
        reasoning: number;
        cacheRead: number;
        cacheWrite: number;
        /**
         * Whether a part of the sum was estimated, because the provider sent no numbers.
         */
        estimated: boolean;
        runs: number;
        /**
         * At the list prices of the providers; models whose price is not known are left out, null when all are.
         */
        costUsd: number | null;
    };
    models: Array<{
        /**
         * Includes the tokens that were read from the cache.
         */
        input: number;
        output: number;
        reasoning: number;
        cacheRead: number;
        cacheWrite: number;
        /**
         * Whether a part of the sum was estimated, because the provider sent no numbers.
         */
        estimated: boolean;
        runs: number;
        /**
         * At the list prices of the providers; models whose price is not known are left out, null when all are.
         */
        costUsd: number | null;
        provider: string;
        model: string;
    }>;
    /**
     * The median of the last green builds, at most 20: an estimate of the next one. Null before the first.
     */
    medianBuild: {
        builds: number;
        tokens: number;
        costUsd: number | null;
    } | null;
    /**
     * Of the whole organization, with its limits.
     */
    month: TokenUse;
};

export type TokenUse = {
    /**
     * By builds, plan turns and captures of all projects, in a month (UTC); null: any number.
     */
    monthly: number | null;
    /**
     * By all builds of one ticket; null: any number.
     */
    perTicket: number | null;
    /**
     * `YYYY-MM`, UTC.
     */
    month: string;
    /**
     * Counted in this month: input and output, with a token from the provider’s cache as a tenth.
     */
    used: number;
};

export type Source = {
    files: {
        [key: string]: string;
    };
    generatedBy: string | null;
};

export type AppPackages = {
    items: Array<AppPackage>;
    /**
     * How many packages these need beyond themselves.
     */
    dependencies: number;
};

export type AppPackage = {
    name: string;
    version: string;
    /**
     * Unpacked; an app contains only what it imports.
     */
    sizeBytes: number;
    /**
     * null for a package that is not curated.
     */
    purpose: string | null;
    license: string | null;
};

export type Version = {
    sha: string;
    message: string;
    ticketId: string | null;
    runId: string | null;
    author: string;
    createdAt: string;
    /**
     * The number of its files.
     */
    files: number;
    /**
     * Whether this is the newest commit of the project.
     */
    current: boolean;
};

export type VersionDiff = {
    sha: string;
    /**
     * null for the first version, of which only the files that are not generated are listed.
     */
    base: string | null;
    files: Array<{
        path: string;
        status: 'added' | 'modified' | 'removed';
        /**
         * Added lines.
         */
        added: number;
        /**
         * Removed lines.
         */
        removed: number;
        before: string | null;
        after: string | null;
    }>;
};

export type HistoryEvent = {
    id: string;
    type: 'built' | 'build_failed' | 'reverted' | 'shipped' | 'rolled_back' | 'renamed' | 'archived' | 'unarchived' | 'backed_up';
    at: string;
    /**
     * The id of the user who did it; null for an API key and for the service itself.
     */
    actor: string | null;
    ticketId: string | null;
    runId: string | null;
    /**
     * The version it is about.
     */
    sha: string | null;
    /**
     * A summary, an address, a reason or a name, by type.
     */
    detail: string | null;
};

export type Backup = {
    repository: {
        provider: 'github';
        url: string;
    };
    branch: 'main';
    /**
     * The commit that the branch points to.
     */
    sha: string;
    pushedAt: string;
};

export type DeployState = {
    state: 'none' | 'deploying' | 'live' | 'error' | 'archived';
    url: string | null;
    sha: string | null;
    builtSha: string | null;
    upToDate: boolean;
    deployedAt: string | null;
    error: string | null;
    /**
     * The move to the connected account; null when there is none.
     */
    move: {
        state: 'waiting' | 'moving' | 'removing';
        /**
         * The account it moves away from.
         */
        from: {
            id: string;
            name: string | null;
        };
        liveData: 'copy' | 'leave';
        /**
         * Records copied by the ship that takes the project along.
         */
        records: number;
        files: number;
        /**
         * Why what is left there could not be removed yet; it is tried again.
         */
        problem: string | null;
    } | null;
};

export type DomainStatus = {
    state: 'no_connection' | 'needs_reconnect' | 'unreachable' | 'no_domain' | 'pending_nameservers' | 'pending_ship' | 'pending_attach' | 'provisioning' | 'active';
    hostname: string | null;
    url: string | null;
    zone: {
        name: string;
        status: string;
    } | null;
    nameServers: Array<string>;
    certificate: string | null;
    conflicts: Array<{
        type: string;
        content: string;
    }>;
    message: string | null;
    checkedAt: string | null;
};

export type EmailStatus = {
    zones: Array<{
        id: string;
        name: string;
        status: string;
    }>;
    sending: {
        zoneId: string | null;
        domain: string | null;
        state: 'none' | 'pending' | 'verified';
        localPart: string | null;
        from: string | null;
        dns: Array<{
            type: string;
            name: string;
            value: string;
            priority?: number;
            present: boolean;
        }>;
    };
    mailboxes: Array<{
        localPart: string;
        address: string;
        collection: string;
        notify: boolean;
    }>;
    routing: 'none' | 'ready' | 'misconfigured';
    collections: Array<string>;
};

export type PaymentKeyCheck = {
    ok: boolean;
    mode: 'live' | 'test';
    checkedAt: string;
    /**
     * Permissions that payments need and the stored keys lack.
     */
    missing: Array<{
        mode: 'live' | 'test';
        resource: string;
        need: 'read' | 'write';
        /**
         * As Stripe names it.
         */
        permission: string;
    }>;
};

export type PaymentProduct = {
    id: string;
    name: string;
    amount: number;
    currency: string;
    interval: 'day' | 'week' | 'month' | 'year' | null;
    priceId: string | null;
    active: boolean;
    createdAt: string;
};

export type DiscountCode = {
    id: string;
    code: string;
    percentOff: number | null;
    amountOff: number | null;
    currency: string | null;
    duration: 'once' | 'forever';
    maxRedemptions: number | null;
    redeemed: number;
    active: boolean;
};

export type Analytics = {
    state: 'ok';
    windowHours: number;
    requests: number;
    errors: number;
    /**
     * Hour by hour, oldest first.
     */
    series: Array<{
        requests: number;
        errors: number;
        at: string;
    }>;
} | {
    state: 'unavailable';
};

export type LiveErrors = {
    state: 'ok' | 'unavailable';
    items: Array<{
        message: string;
        /**
         * Of the latest. It names places in the sources while the release that logged it is live.
         */
        stack: string | null;
        route: string | null;
        count: number;
        lastAt: string;
    }>;
    /**
     * Why nothing can be read.
     */
    reason?: string;
};

export type Traffic = {
    projects: Array<{
        requests: number;
        errors: number;
        projectId: string;
        name: string;
    }>;
    /**
     * How many live projects these figures span; 0 when none can be read.
     */
    covered: number;
};

export type Capability = {
    key: 'auth' | 'team' | 'data' | 'files' | 'assets' | 'email' | 'ai' | 'pay' | 'live' | 'call' | 'schedule' | 'queue' | 'flow' | 'connect' | 'hook' | 'render' | 'video' | 'push' | 'events' | 'guard' | 'meter';
    title: string;
    enabled: boolean;
    provision: {
        state: 'creating' | 'idle' | 'error';
        error: {
            code: string;
            message: string;
        } | null;
    };
    resource: {
        id: string;
        kind: string;
        name: string;
    } | null;
    settings: {
        [key: string]: unknown;
    };
    /**
     * Enabled ones that need it and were switched off with it by this change; empty in a read.
     */
    alsoOff: Array<'auth' | 'team' | 'data' | 'files' | 'assets' | 'email' | 'ai' | 'pay' | 'live' | 'call' | 'schedule' | 'queue' | 'flow' | 'connect' | 'hook' | 'render' | 'video' | 'push' | 'events' | 'guard' | 'meter'>;
    /**
     * Secrets of this change that could not be tried, because their provider did not respond; empty in a read.
     */
    unchecked: Array<{
        secret: string;
        reason: string;
    }>;
    /**
     * What the stored Stripe keys could not do when they were last checked; null for every other capability.
     */
    keyCheck: PaymentKeyCheck | null;
    [key: string]: boolean | 'auth' | 'team' | 'data' | 'files' | 'assets' | 'email' | 'ai' | 'pay' | 'live' | 'call' | 'schedule' | 'queue' | 'flow' | 'connect' | 'hook' | 'render' | 'video' | 'push' | 'events' | 'guard' | 'meter' | string | {
        state: 'creating' | 'idle' | 'error';
        error: {
            code: string;
            message: string;
        } | null;
    } | {
        id: string;
        kind: string;
        name: string;
    } | null | {
        [key: string]: unknown;
    } | Array<'auth' | 'team' | 'data' | 'files' | 'assets' | 'email' | 'ai' | 'pay' | 'live' | 'call' | 'schedule' | 'queue' | 'flow' | 'connect' | 'hook' | 'render' | 'video' | 'push' | 'events' | 'guard' | 'meter'> | Array<{
        secret: string;
        reason: string;
    }> | PaymentKeyCheck | null;
};

export type Asset = {
    path: string;
    name: string;
    /**
     * Bytes.
     */
    size: number;
    contentType: string;
    access: AssetAccess;
    /**
     * Where the app serves it; null while the app is not live or the capability `assets` is off.
     */
    url: string | null;
    createdAt: string;
};

export type AssetAccess = {
    kind: 'public';
} | {
    kind: 'members';
} | {
    kind: 'product';
    /**
     * Product
     *
     * The id of a product, from the list of products.
     */
    productId: string;
};

export type UploadTicket = {
    /**
     * Names the upload in `finalize`; of an attachment, also the file in messages.
     */
    key: string;
    /**
     * For one upload of exactly what was announced; valid for 15 minutes.
     */
    token: string;
    /**
     * PUT the bytes here.
     */
    uploadUrl: string;
    expiresAt: string;
};

export type Attachment = {
    key: string;
    mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
};

export type Connections = {
    cloudflare: {
        connected: boolean;
        status: 'none' | 'connected' | 'needs_reconnect';
        /**
         * Whether it is the local stand-in or the provider itself.
         */
        profile: 'local' | 'real' | null;
        /**
         * Where a person can sign in, the usual one first.
         */
        signIns: Array<'local' | 'real'>;
        scopes: Array<string>;
        /**
         * What is needed as things are and was not granted.
         */
        missingScopes: Array<string>;
        /**
         * Null while connected: one of several accounts has to be chosen.
         */
        account: {
            id: string;
            name: string | null;
            subdomain: string | null;
        } | null;
        method: 'oauth' | 'token' | null;
    };
    github: {
        connected: boolean;
        status: 'none' | 'connected' | 'needs_reconnect';
        /**
         * Whether it is the local stand-in or the provider itself.
         */
        profile: 'local' | 'real' | null;
        /**
         * Where a person can sign in, the usual one first.
         */
        signIns: Array<'local' | 'real'>;
        scopes: Array<string>;
        /**
         * What is needed as things are and was not granted.
         */
        missingScopes: Array<string>;
        login: string | null;
    };
    role: 'owner' | 'admin' | 'member' | null;
};

export type ModelConnection = {
    id: string;
    provider: 'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'workers-ai' | 'scaffold';
    label: string;
    baseUrl: string | null;
    models: Array<string>;
    defaultModel: string;
    isDefault: boolean;
    limits: {
        steps?: number;
        tokens?: number;
        minutes?: number;
    } | null;
    modalities: Array<'images' | 'pdfs'> | null;
    hasKey: boolean;
    createdAt: string;
};

export type ModelFinding = {
    /**
     * Null for a server of another name.
     */
    service: 'anthropic' | 'openai' | 'google' | 'openrouter' | 'groq' | 'xai' | 'deepseek' | null;
    name: string;
    provider: 'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'workers-ai' | 'scaffold';
    baseUrl: string | null;
    /**
     * The recommended one first, the others as the provider lists them.
     */
    models: Array<{
        id: string;
        recommended: boolean;
    }>;
    test: {
        model: string;
        ok: boolean;
        latencyMs: number | null;
        error: string | null;
    };
};

export type LocalModels = {
    /**
     * The setting that has to list an address before the service connects to it.
     */
    setting: string;
    servers: Array<{
        name: string;
        baseUrl: string;
        state: 'found' | 'absent' | 'not_allowed';
        /**
         * What the setting has to list for this server.
         */
        allow: string;
        /**
         * The recommended one first, the others as the provider lists them.
         */
        models: Array<{
            id: string;
            recommended: boolean;
        }>;
    }>;
};

export type ModelTest = {
    model: string;
    latencyMs: number;
    models: Array<string>;
};

export type Ceiling = {
    thing: 'workers' | 'object_classes' | 'queues';
    /**
     * What this service made there; what others made in the account counts too.
     */
    used: number;
    /**
     * The most on the free plan.
     */
    free: number;
    /**
     * The most on the paid plan.
     */
    paid: number;
};

export type ApiKey = {
    id: string;
    name: string;
    /**
     * The first characters, to recognise a key by; the rest is not stored.
     */
    prefix: string;
    scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
    source: 'console' | 'device';
    createdBy: {
        id: string;
        name: string;
    } | null;
    createdAt: string;
    lastUsedAt: string | null;
    expiresAt: string | null;
};

export type WebhookEndpoint = {
    id: string;
    url: string;
    events: Array<'project.created' | 'ticket.created' | 'ticket.updated' | 'ticket.build.succeeded' | 'ticket.build.failed' | 'project.deployed' | 'project.rolled_back' | 'project.reverted' | 'project.renamed' | 'project.archived' | 'project.deleted' | '*'>;
    /**
     * The last successful delivery.
     */
    lastDeliveryAt: string | null;
    createdAt: string;
};

export type IngestSource = {
    id: string;
    projectId: string;
    /**
     * Where ideas are posted to.
     */
    webhookUrl: string;
    createdAt: string;
};

export type Invitation = {
    organization: {
        name: string;
    };
    inviter: {
        name: string;
    };
    role: string;
    status: 'pending' | 'accepted' | 'rejected' | 'cancelled' | 'expired';
};

export type SecurityPolicy = {
    /**
     * People must sign in through the organization, not with a password.
     */
    requireSso: boolean;
    /**
     * People must have two-factor authentication set up.
     */
    requireTwoFactor: boolean;
    /**
     * Sessions end at this age; null: after 30 days.
     */
    sessionLifetimeDays: 1 | 7 | 30 | null;
    /**
     * Addresses and CIDR ranges that people and keys may call from; empty: anywhere.
     */
    allowedIps: Array<string>;
    /**
     * Builds may add any npm package that passes the limits, not only the curated ones.
     */
    anyPackages: boolean;
    /**
     * Whether requireSso can be switched on.
     */
    ssoReady: boolean;
    /**
     * Where this call comes from: what allowedIps must contain.
     */
    callerAddress: string;
};

export type SsoProvider = {
    issuer: string;
    /**
     * The e-mail domains, separated by commas.
     */
    domain: string;
    kind: 'oidc' | 'saml';
    /**
     * Until all domains are verified, no one can sign in through the provider.
     */
    domainVerified: boolean;
    /**
     * The TXT record to publish for each domain.
     */
    txt: Array<{
        domain: string;
        name: string;
        value: string;
        isVerified: boolean;
    }>;
    /**
     * To enter at an OpenID Connect provider.
     */
    redirectUri: string | null;
    /**
     * To enter at a SAML provider: where it posts its responses.
     */
    acsUrl: string | null;
    /**
     * To enter at a SAML provider: our entity id, and where our metadata is.
     */
    entityId: string | null;
};

export type ActivityRecord = {
    id: string;
    when: string;
    provider: 'cloudflare' | 'github' | 'stripe' | 'slipway';
    actor: string;
    action: string;
    target: string;
    status: 'ok' | 'failed';
    /**
     * Its name at that time.
     */
    project: string | null;
    projectId: string | null;
    detail: string | null;
};

export type Billing = {
    plan: 'free' | 'starter' | 'pro' | 'enterprise';
    /**
     * Whether plans are sold here. False: the operator sets them.
     */
    managed: boolean;
    /**
     * Archived projects count.
     */
    projects: {
        used: number;
        /**
         * Null: no limit.
         */
        limit: number | null;
    };
    /**
     * More used than allowed, after a change of plan: all keep running.
     */
    liveProjects: {
        used: number;
        /**
         * Null: no limit.
         */
        limit: number | null;
    };
    /**
     * Builds that were started in the last hour.
     */
    builds: {
        used: number;
        /**
         * Null: no limit.
         */
        limit: number | null;
    };
    /**
     * What can be bought, the smallest first; empty where plans are not sold.
     */
    plans: Array<{
        plan: 'starter' | 'pro';
        projects: number;
        liveProjects: number;
        buildsPerHour: number;
    }>;
    /**
     * The same as `builds.limit`.
     */
    buildsPerHour: number | null;
    renewsAt: string | null;
    subscription: {
        /**
         * What is paid for.
         */
        plan: 'starter' | 'pro';
        /**
         * When it ends, once it was cancelled.
         */
        endsAt: string | null;
        /**
         * Set after a failed payment.
         */
        overdue: {
            /**
             * When the plan falls back unless it is paid.
             */
            keptUntil: string;
        } | null;
    } | null;
};

export type AccountDeletion = {
    email: string;
    organizations: Array<{
        id: string;
        name: string;
        /**
         * `delete`: you are its only member. `leave`: you do not own it; it stays. `blocked`: you own it and others are in it.
         */
        disposition: 'delete' | 'leave' | 'blocked';
        /**
         * Projects to delete; 0 in an organization that stays.
         */
        projectsLeft: number;
        cloudConnected: boolean;
    }>;
    projectsLeft: number;
    /**
     * The next projects only, with what they have in the cloud account.
     */
    projects: Array<{
        id: string;
        organizationId: string;
        name: string;
        resources: Array<{
            id: string;
            kind: string;
            name: string;
        }>;
    }>;
    /**
     * Milliseconds that the steps have worked so far.
     */
    spent: number;
    /**
     * Resources removed from the cloud account so far.
     */
    cleared: number;
    /**
     * What the provider refused to remove; the run halts there.
     */
    failed: Array<{
        id: string;
        kind: string;
        name: string;
        projectId: string;
        projectName: string;
        reason: string;
    }>;
    /**
     * Stays in the cloud account, because `leaveStuck` was set.
     */
    left: Array<{
        projectName: string;
        name: string;
        detail: string;
    }>;
    /**
     * Null until everything is gone.
     */
    deletion: {
        finishedAt: string;
    } | null;
};

export type HelpThread = {
    id: string;
    subject: string;
    state: 'open' | 'answered' | 'closed';
    projectId: string | null;
    projectName: string | null;
    /**
     * The plan of the organization when the conversation was opened.
     */
    plan: string;
    createdAt: string;
    lastActiveAt: string;
};

export type HelpConversation = {
    id: string;
    subject: string;
    state: 'open' | 'answered' | 'closed';
    projectId: string | null;
    projectName: string | null;
    /**
     * The plan of the organization when the conversation was opened.
     */
    plan: string;
    createdAt: string;
    lastActiveAt: string;
    messages: Array<{
        id: string;
        author: 'member' | 'operator';
        /**
         * Null for the operator and for a person who was deleted.
         */
        name: string | null;
        body: string;
        attachments: Array<{
            id: string;
            name: string;
            contentType: string;
            size: number;
        }>;
        createdAt: string;
    }>;
};

export type DeskThread = {
    id: string;
    subject: string;
    state: 'open' | 'answered' | 'closed';
    projectId: string | null;
    projectName: string | null;
    /**
     * The plan of the organization when the conversation was opened.
     */
    plan: string;
    createdAt: string;
    lastActiveAt: string;
    organization: {
        id: string;
        name: string;
    };
};

export type DeskConversation = {
    id: string;
    subject: string;
    state: 'open' | 'answered' | 'closed';
    projectId: string | null;
    projectName: string | null;
    /**
     * The plan of the organization when the conversation was opened.
     */
    plan: string;
    createdAt: string;
    lastActiveAt: string;
    messages: Array<{
        id: string;
        author: 'member' | 'operator';
        /**
         * Null for the operator and for a person who was deleted.
         */
        name: string | null;
        body: string;
        attachments: Array<{
            id: string;
            name: string;
            contentType: string;
            size: number;
        }>;
        createdAt: string;
    }>;
    organization: {
        id: string;
        name: string;
    };
    /**
     * What the console of the person who asked says about itself. Anyone can write it; null: nothing.
     */
    console: unknown;
};

export type Me = {
    /**
     * Who is signed in, or who created the key; null when that person is gone.
     */
    user: {
        id: string;
        name: string;
        email: string;
    } | null;
    organization: {
        id: string;
        name: string;
    };
    /**
     * Null for API keys.
     */
    role: 'owner' | 'admin' | 'member' | null;
    scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
    plan: 'free' | 'starter' | 'pro' | 'enterprise';
};

export type Idea = {
    title?: string;
    text?: string;
    /**
     * Your own id for the idea: a repeat is the same idea.
     */
    id?: string;
    /**
     * Linked from the ticket.
     */
    url?: string;
};

export type ListProjectsData = {
    body?: never;
    path?: never;
    query?: {
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
        /**
         * Part of the name, case-insensitive, matched literally.
         */
        q?: string;
    };
    url: '/api/v1/projects';
};

export type ListProjectsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListProjectsError = ListProjectsErrors[keyof ListProjectsErrors];

export type ListProjectsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<Project>;
            nextCursor: string | null;
        };
    };
};

export type ListProjectsResponse = ListProjectsResponses[keyof ListProjectsResponses];

export type CreateProjectData = {
    body?: {
        name?: string;
    };
    headers?: {
        /**
         * A repeated request with the same key and body gets the first response again, for 24 hours.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/projects';
};

export type CreateProjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `payment_required`
     */
    402: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateProjectError = CreateProjectErrors[keyof CreateProjectErrors];

export type CreateProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Project;
    };
};

export type CreateProjectResponse = CreateProjectResponses[keyof CreateProjectResponses];

export type DeleteProjectData = {
    body?: {
        leaveStuck?: boolean;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}';
};

export type DeleteProjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteProjectError = DeleteProjectErrors[keyof DeleteProjectErrors];

export type DeleteProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            teardown: {
                remaining: number;
                removed: Array<{
                    id: string;
                    kind: string;
                    name: string;
                }>;
                failed: Array<{
                    id: string;
                    kind: string;
                    name: string;
                    reason: string;
                }>;
                /**
                 * Stays in the account, because `leaveStuck` was set.
                 */
                left: Array<{
                    id: string;
                    kind: string;
                    name: string;
                    reason: string;
                }>;
            };
        };
    };
};

export type DeleteProjectResponse = DeleteProjectResponses[keyof DeleteProjectResponses];

export type GetProjectData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}';
};

export type GetProjectErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetProjectError = GetProjectErrors[keyof GetProjectErrors];

export type GetProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Project;
    };
};

export type GetProjectResponse = GetProjectResponses[keyof GetProjectResponses];

export type UpdateProjectData = {
    body?: {
        name?: string;
        slug?: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}';
};

export type UpdateProjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type UpdateProjectError = UpdateProjectErrors[keyof UpdateProjectErrors];

export type UpdateProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Project;
    };
};

export type UpdateProjectResponse = UpdateProjectResponses[keyof UpdateProjectResponses];

export type GetAppAccessData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/access';
};

export type GetAppAccessErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetAppAccessError = GetAppAccessErrors[keyof GetAppAccessErrors];

export type GetAppAccessResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: AppAccess;
    };
};

export type GetAppAccessResponse = GetAppAccessResponses[keyof GetAppAccessResponses];

export type SetAppAccessData = {
    body: {
        code: string | null;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/access';
};

export type SetAppAccessErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetAppAccessError = SetAppAccessErrors[keyof SetAppAccessErrors];

export type SetAppAccessResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: AppAccess;
    };
};

export type SetAppAccessResponse = SetAppAccessResponses[keyof SetAppAccessResponses];

export type ArchiveProjectData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/archive';
};

export type ArchiveProjectErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ArchiveProjectError = ArchiveProjectErrors[keyof ArchiveProjectErrors];

export type ArchiveProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Project;
    };
};

export type ArchiveProjectResponse = ArchiveProjectResponses[keyof ArchiveProjectResponses];

export type UnarchiveProjectData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/unarchive';
};

export type UnarchiveProjectErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type UnarchiveProjectError = UnarchiveProjectErrors[keyof UnarchiveProjectErrors];

export type UnarchiveProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Project;
    };
};

export type UnarchiveProjectResponse = UnarchiveProjectResponses[keyof UnarchiveProjectResponses];

export type ListTicketsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/tickets';
};

export type ListTicketsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListTicketsError = ListTicketsErrors[keyof ListTicketsErrors];

export type ListTicketsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<Ticket>;
    };
};

export type ListTicketsResponse = ListTicketsResponses[keyof ListTicketsResponses];

export type CreateTicketData = {
    body: {
        title: string;
        body?: string;
        status?: 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled';
        type?: 'epic' | 'feature' | 'task' | 'bug' | 'chore';
        priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent';
        dueAt?: string | null;
        parent?: string | null;
        labels?: Array<string>;
        /**
         * Ids of tickets of this project that must be built first, at most 20; the build queue waits for them.
         */
        dependsOn?: Array<string>;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets';
};

export type CreateTicketErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateTicketError = CreateTicketErrors[keyof CreateTicketErrors];

export type CreateTicketResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Ticket;
    };
};

export type CreateTicketResponse = CreateTicketResponses[keyof CreateTicketResponses];

export type CaptureTicketData = {
    body: {
        text: string;
        /**
         * Kept with the ticket, for its builds.
         */
        attachments?: Array<string>;
    };
    headers?: {
        /**
         * A repeated request with the same key and body gets the first response again, for 24 hours.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/capture';
};

export type CaptureTicketErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`, `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CaptureTicketError = CaptureTicketErrors[keyof CaptureTicketErrors];

export type CaptureTicketResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Ticket;
    };
};

export type CaptureTicketResponse = CaptureTicketResponses[keyof CaptureTicketResponses];

export type GetTicketStatsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/stats';
};

export type GetTicketStatsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetTicketStatsError = GetTicketStatsErrors[keyof GetTicketStatsErrors];

export type GetTicketStatsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: TicketStats;
    };
};

export type GetTicketStatsResponse = GetTicketStatsResponses[keyof GetTicketStatsResponses];

export type GetTicketTreeData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        /**
         * A ticket's id, or `root` for tickets without parent.
         */
        parent?: string;
        /**
         * `1` leaves out what is done or cancelled, `0` shows all.
         */
        active?: '0' | '1';
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/tickets/tree';
};

export type GetTicketTreeErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetTicketTreeError = GetTicketTreeErrors[keyof GetTicketTreeErrors];

export type GetTicketTreeResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<{
                id: string;
                projectId: string;
                title: string;
                body: string;
                status: 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled';
                type: 'epic' | 'feature' | 'task' | 'bug' | 'chore';
                priority: 'none' | 'low' | 'medium' | 'high' | 'urgent';
                dueAt: string | null;
                parent: string | null;
                labels: Array<string>;
                /**
                 * Ids of the tickets that must be in review or done before the queue builds this one.
                 */
                dependsOn: Array<string>;
                origin: string | null;
                source: 'human' | 'agent' | 'ingest';
                url: string | null;
                build: {
                    state: 'idle' | 'queued' | 'running' | 'awaiting';
                    runId: string | null;
                    outcome: 'built' | 'awaiting' | 'replied' | null;
                    /**
                     * Why the ticket left the build queue without a build; null again once it is queued or built.
                     */
                    refused: 'attachments' | 'awaiting' | 'ticket_tokens' | null;
                };
                /**
                 * Keys of the attachments that go into every build.
                 */
                attachments: Array<string>;
                createdBy: string | null;
                createdAt: string;
                updatedAt: string;
                childCount: number;
                openChildCount: number;
            }>;
            nextCursor: string | null;
        };
    };
};

export type GetTicketTreeResponse = GetTicketTreeResponses[keyof GetTicketTreeResponses];

export type SearchTicketsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        /**
         * Part of title or body, case-insensitive, matched literally.
         */
        q?: string;
        status?: 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled';
        type?: 'epic' | 'feature' | 'task' | 'bug' | 'chore';
        priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent';
        /**
         * A label the ticket has, compared without case.
         */
        label?: string;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/tickets/search';
};

export type SearchTicketsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SearchTicketsError = SearchTicketsErrors[keyof SearchTicketsErrors];

export type SearchTicketsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<Ticket>;
            nextCursor: string | null;
        };
    };
};

export type SearchTicketsResponse = SearchTicketsResponses[keyof SearchTicketsResponses];

export type ListTicketLabelsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/labels';
};

export type ListTicketLabelsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListTicketLabelsError = ListTicketLabelsErrors[keyof ListTicketLabelsErrors];

export type ListTicketLabelsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            label: string;
            count: number;
        }>;
    };
};

export type ListTicketLabelsResponse = ListTicketLabelsResponses[keyof ListTicketLabelsResponses];

export type GetTicketRollupsData = {
    body: {
        ids: Array<string>;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/rollups';
};

export type GetTicketRollupsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetTicketRollupsError = GetTicketRollupsErrors[keyof GetTicketRollupsErrors];

export type GetTicketRollupsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            [key: string]: TicketRollup;
        };
    };
};

export type GetTicketRollupsResponse = GetTicketRollupsResponses[keyof GetTicketRollupsResponses];

export type GetTicketData = {
    body?: never;
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}';
};

export type GetTicketErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetTicketError = GetTicketErrors[keyof GetTicketErrors];

export type GetTicketResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Ticket;
    };
};

export type GetTicketResponse = GetTicketResponses[keyof GetTicketResponses];

export type UpdateTicketData = {
    body?: {
        title?: string;
        body?: string;
        status?: 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled';
        type?: 'epic' | 'feature' | 'task' | 'bug' | 'chore';
        priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent';
        dueAt?: string | null;
        parent?: string | null;
        labels?: Array<string>;
        /**
         * Ids of tickets of this project that must be built first, at most 20; the build queue waits for them.
         */
        dependsOn?: Array<string>;
        /**
         * Keys of all attachments of the ticket from now on; one that is new must be finalized. A build says whether its model can read them.
         */
        attachments?: Array<string>;
    };
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}';
};

export type UpdateTicketErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type UpdateTicketError = UpdateTicketErrors[keyof UpdateTicketErrors];

export type UpdateTicketResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Ticket;
    };
};

export type UpdateTicketResponse = UpdateTicketResponses[keyof UpdateTicketResponses];

export type GetReadmeData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/readme';
};

export type GetReadmeErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetReadmeError = GetReadmeErrors[keyof GetReadmeErrors];

export type GetReadmeResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: string;
    };
};

export type GetReadmeResponse = GetReadmeResponses[keyof GetReadmeResponses];

export type ListPlanMessagesData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/projects/{projectId}/plan/messages';
};

export type ListPlanMessagesErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListPlanMessagesError = ListPlanMessagesErrors[keyof ListPlanMessagesErrors];

export type ListPlanMessagesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<PlanMessage>;
            nextCursor: string | null;
            total: number;
        };
    };
};

export type ListPlanMessagesResponse = ListPlanMessagesResponses[keyof ListPlanMessagesResponses];

export type SendPlanMessageData = {
    body: {
        text: string;
        attachments?: Array<string>;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/plan/message';
};

export type SendPlanMessageErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`, `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `model_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SendPlanMessageError = SendPlanMessageErrors[keyof SendPlanMessageErrors];

export type SendPlanMessageResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: PlanMessage;
    };
};

export type SendPlanMessageResponse = SendPlanMessageResponses[keyof SendPlanMessageResponses];

export type StreamPlanData = {
    body?: {
        text?: string;
        attachments?: Array<string>;
        /**
         * Runs the last failed exchange again; text is not needed then.
         */
        retry?: boolean;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/plan/stream';
};

export type StreamPlanErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`, `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StreamPlanError = StreamPlanErrors[keyof StreamPlanErrors];

export type StreamPlanResponses = {
    /**
     * One event per frame.
     */
    200: {
        type: 'delta';
        text?: string;
        reasoning?: string;
        toolChars?: number;
        tool?: string;
        path?: string;
    } | {
        type: 'tool';
        id: string;
        name: string;
        args: unknown;
        ok: boolean;
        result: string;
        error?: string;
        ms: number;
    } | {
        type: 'retry';
        waitMs: number;
        reason: string;
        /**
         * The reply so far. It replaces all text that was streamed before.
         */
        text: string;
    } | {
        type: 'done';
        message: PlanMessage;
    } | {
        type: 'error';
        kind: 'model_error' | 'rate_limited' | 'attachments_unsupported' | 'check_failed' | 'stuck' | 'step_limit' | 'time_limit' | 'budget' | 'context_limit' | 'interrupted' | 'unavailable' | 'server_error';
        message: string;
    };
};

export type StreamPlanResponse = StreamPlanResponses[keyof StreamPlanResponses];

export type StopPlanData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/plan/stop';
};

export type StopPlanErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StopPlanError = StopPlanErrors[keyof StopPlanErrors];

export type StopPlanResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            stopped: boolean;
        };
    };
};

export type StopPlanResponse = StopPlanResponses[keyof StopPlanResponses];

export type RetryPlanData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/plan/retry';
};

export type RetryPlanErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`, `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `model_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RetryPlanError = RetryPlanErrors[keyof RetryPlanErrors];

export type RetryPlanResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: PlanMessage;
    };
};

export type RetryPlanResponse = RetryPlanResponses[keyof RetryPlanResponses];

export type BuildTicketData = {
    body?: {
        answers?: Array<{
            id: string;
            value: string | Array<string>;
        }>;
        attachments?: Array<string>;
    };
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build';
};

export type BuildTicketErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`, `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `model_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type BuildTicketError = BuildTicketErrors[keyof BuildTicketErrors];

export type BuildTicketResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: BuildResult;
    };
};

export type BuildTicketResponse = BuildTicketResponses[keyof BuildTicketResponses];

export type StreamBuildData = {
    body?: {
        answers?: Array<{
            id: string;
            value: string | Array<string>;
        }>;
        attachments?: Array<string>;
        run?: string;
        after?: number;
    };
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build/stream';
};

export type StreamBuildErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`, `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StreamBuildError = StreamBuildErrors[keyof StreamBuildErrors];

export type StreamBuildResponses = {
    /**
     * One event per frame.
     */
    200: {
        type: 'snapshot';
        run: string;
        seq: number;
        text: string;
        files: Array<{
            path: string;
            added: number;
            removed: number;
        }>;
        checks: Array<{
            name: string;
            ok: boolean;
            ms: number;
            errors: Array<{
                phase: string;
                file: string;
                line: number;
                column: number;
                code: string;
                message: string;
                excerpt: string;
            }>;
        }>;
        usage: {
            input: number;
            output: number;
            cacheRead: number;
            cacheWrite: number;
        };
    } | {
        seq: number;
        type: 'run';
        run: string;
        ticketId: string;
        attempt: number;
        trigger: string;
        model: string;
        generatedBy: string;
    } | {
        seq: number;
        type: 'step';
        n: number;
        limit: number;
    } | {
        seq: number;
        type: 'delta';
        text?: string;
        reasoning?: string;
        toolChars?: number;
        tool?: string;
        path?: string;
    } | {
        seq: number;
        type: 'retry';
        step: number;
        waitMs: number;
        reason: string;
    } | {
        seq: number;
        type: 'tool';
        id: string;
        name: string;
        args: unknown;
        ok: boolean;
        result: string;
        error?: string;
        ms: number;
    } | {
        seq: number;
        type: 'file';
        path: string;
        op: 'write' | 'edit' | 'delete';
        bytes: number;
        added: number;
        removed: number;
    } | {
        seq: number;
        type: 'check';
        n: number;
        phase: string;
        ok: boolean;
        ms: number;
        errorCount: number;
        errors: Array<{
            phase: string;
            file: string;
            line: number;
            column: number;
            code: string;
            message: string;
            excerpt: string;
        }>;
    } | {
        seq: number;
        type: 'question';
        questions: Array<{
            id: string;
            question: string;
            options: Array<string>;
            default: string;
            multiple?: boolean;
        }>;
    } | {
        seq: number;
        type: 'steer';
        id: string;
        text: string;
        delivery: 'delivered' | 'next_build';
    } | {
        seq: number;
        type: 'usage';
        input: number;
        output: number;
        cacheRead: number;
        cacheWrite: number;
    } | {
        seq: number;
        type: 'preview';
        url?: string;
        error?: string;
    } | {
        seq: number;
        type: 'done';
        status: 'built' | 'awaiting' | 'replied' | 'cancelled';
        run: string;
        sha?: string;
        summary?: string;
        message?: string;
        questions?: Array<{
            id: string;
            question: string;
            options: Array<string>;
            default: string;
            multiple?: boolean;
        }>;
        changed?: Array<{
            path: string;
            added: number;
            removed: number;
        }>;
        generatedBy?: string;
        previewUrl?: string | null;
    } | {
        seq: number;
        type: 'error';
        kind: 'model_error' | 'rate_limited' | 'attachments_unsupported' | 'check_failed' | 'stuck' | 'step_limit' | 'time_limit' | 'budget' | 'context_limit' | 'interrupted' | 'unavailable' | 'server_error';
        message: string;
        retryable: boolean;
    } | {
        type: 'resuming';
    };
};

export type StreamBuildResponse = StreamBuildResponses[keyof StreamBuildResponses];

export type CancelBuildData = {
    body?: never;
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build/cancel';
};

export type CancelBuildErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CancelBuildError = CancelBuildErrors[keyof CancelBuildErrors];

export type CancelBuildResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            run: BuildRun;
        };
    };
};

export type CancelBuildResponse = CancelBuildResponses[keyof CancelBuildResponses];

export type GetAttentionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/attention';
};

export type GetAttentionErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetAttentionError = GetAttentionErrors[keyof GetAttentionErrors];

export type GetAttentionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Attention;
    };
};

export type GetAttentionResponse = GetAttentionResponses[keyof GetAttentionResponses];

export type ListRunsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/projects/{projectId}/runs';
};

export type ListRunsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListRunsError = ListRunsErrors[keyof ListRunsErrors];

export type ListRunsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<BuildRun>;
            nextCursor: string | null;
            total: number;
        };
    };
};

export type ListRunsResponse = ListRunsResponses[keyof ListRunsResponses];

export type GetRunData = {
    body?: never;
    path: {
        projectId: string;
        runId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/runs/{runId}';
};

export type GetRunErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetRunError = GetRunErrors[keyof GetRunErrors];

export type GetRunResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: BuildRun;
    };
};

export type GetRunResponse = GetRunResponses[keyof GetRunResponses];

export type ListRunEventsData = {
    body?: never;
    path: {
        projectId: string;
        runId: string;
    };
    query?: {
        after?: number;
    };
    url: '/api/v1/projects/{projectId}/runs/{runId}/events';
};

export type ListRunEventsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListRunEventsError = ListRunEventsErrors[keyof ListRunEventsErrors];

export type ListRunEventsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            type: 'snapshot';
            run: string;
            seq: number;
            text: string;
            files: Array<{
                path: string;
                added: number;
                removed: number;
            }>;
            checks: Array<{
                name: string;
                ok: boolean;
                ms: number;
                errors: Array<{
                    phase: string;
                    file: string;
                    line: number;
                    column: number;
                    code: string;
                    message: string;
                    excerpt: string;
                }>;
            }>;
            usage: {
                input: number;
                output: number;
                cacheRead: number;
                cacheWrite: number;
            };
        } | {
            seq: number;
            type: 'run';
            run: string;
            ticketId: string;
            attempt: number;
            trigger: string;
            model: string;
            generatedBy: string;
        } | {
            seq: number;
            type: 'step';
            n: number;
            limit: number;
        } | {
            seq: number;
            type: 'delta';
            text?: string;
            reasoning?: string;
            toolChars?: number;
            tool?: string;
            path?: string;
        } | {
            seq: number;
            type: 'retry';
            step: number;
            waitMs: number;
            reason: string;
        } | {
            seq: number;
            type: 'tool';
            id: string;
            name: string;
            args: unknown;
            ok: boolean;
            result: string;
            error?: string;
            ms: number;
        } | {
            seq: number;
            type: 'file';
            path: string;
            op: 'write' | 'edit' | 'delete';
            bytes: number;
            added: number;
            removed: number;
        } | {
            seq: number;
            type: 'check';
            n: number;
            phase: string;
            ok: boolean;
            ms: number;
            errorCount: number;
            errors: Array<{
                phase: string;
                file: string;
                line: number;
                column: number;
                code: string;
                message: string;
                excerpt: string;
            }>;
        } | {
            seq: number;
            type: 'question';
            questions: Array<{
                id: string;
                question: string;
                options: Array<string>;
                default: string;
                multiple?: boolean;
            }>;
        } | {
            seq: number;
            type: 'steer';
            id: string;
            text: string;
            delivery: 'delivered' | 'next_build';
        } | {
            seq: number;
            type: 'usage';
            input: number;
            output: number;
            cacheRead: number;
            cacheWrite: number;
        } | {
            seq: number;
            type: 'preview';
            url?: string;
            error?: string;
        } | {
            seq: number;
            type: 'done';
            status: 'built' | 'awaiting' | 'replied' | 'cancelled';
            run: string;
            sha?: string;
            summary?: string;
            message?: string;
            questions?: Array<{
                id: string;
                question: string;
                options: Array<string>;
                default: string;
                multiple?: boolean;
            }>;
            changed?: Array<{
                path: string;
                added: number;
                removed: number;
            }>;
            generatedBy?: string;
            previewUrl?: string | null;
        } | {
            seq: number;
            type: 'error';
            kind: 'model_error' | 'rate_limited' | 'attachments_unsupported' | 'check_failed' | 'stuck' | 'step_limit' | 'time_limit' | 'budget' | 'context_limit' | 'interrupted' | 'unavailable' | 'server_error';
            message: string;
            retryable: boolean;
        } | {
            type: 'resuming';
        }>;
    };
};

export type ListRunEventsResponse = ListRunEventsResponses[keyof ListRunEventsResponses];

export type GetProjectModelData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/model';
};

export type GetProjectModelErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `model_required`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetProjectModelError = GetProjectModelErrors[keyof GetProjectModelErrors];

export type GetProjectModelResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: ProjectModel;
    };
};

export type GetProjectModelResponse = GetProjectModelResponses[keyof GetProjectModelResponses];

export type SetProjectModelData = {
    body?: {
        inherit?: boolean;
        connectionId?: string;
        model?: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/model';
};

export type SetProjectModelErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `model_required`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetProjectModelError = SetProjectModelErrors[keyof SetProjectModelErrors];

export type SetProjectModelResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: ProjectModel;
    };
};

export type SetProjectModelResponse = SetProjectModelResponses[keyof SetProjectModelResponses];

export type SteerBuildData = {
    body: {
        text: string;
        attachments?: Array<string>;
    };
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build/steer';
};

export type SteerBuildErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `attachments_unsupported`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SteerBuildError = SteerBuildErrors[keyof SteerBuildErrors];

export type SteerBuildResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            /**
             * Whether the running build will read it before its next model call, or the next build of the ticket.
             */
            delivery: 'delivered' | 'next_build';
        };
    };
};

export type SteerBuildResponse = SteerBuildResponses[keyof SteerBuildResponses];

export type GetBuildQueueData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/build/queue';
};

export type GetBuildQueueErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetBuildQueueError = GetBuildQueueErrors[keyof GetBuildQueueErrors];

export type GetBuildQueueResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: BuildQueue;
    };
};

export type GetBuildQueueResponse = GetBuildQueueResponses[keyof GetBuildQueueResponses];

export type QueueBuildsData = {
    body: {
        ticketIds: Array<string>;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/build/queue';
};

export type QueueBuildsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type QueueBuildsError = QueueBuildsErrors[keyof QueueBuildsErrors];

export type QueueBuildsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            queued: Array<string>;
            skipped: Array<{
                ticketId: string;
                reason: 'unknown' | 'structure' | 'queued' | 'building' | 'awaiting';
            }>;
            /**
             * What the plan agent asked when it wrote one of these tickets, while the person has not written to it again. The builds decide it themselves.
             */
            openQuestions: Array<string>;
        };
    };
};

export type QueueBuildsResponse = QueueBuildsResponses[keyof QueueBuildsResponses];

export type RemoveFromBuildQueueData = {
    body?: never;
    path: {
        projectId: string;
        ticketId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/build/queue/{ticketId}';
};

export type RemoveFromBuildQueueErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RemoveFromBuildQueueError = RemoveFromBuildQueueErrors[keyof RemoveFromBuildQueueErrors];

export type RemoveFromBuildQueueResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            ticketId: string;
        };
    };
};

export type RemoveFromBuildQueueResponse = RemoveFromBuildQueueResponses[keyof RemoveFromBuildQueueResponses];

export type StorePreviewErrorsData = {
    body: {
        ticketId: string;
        errors: Array<{
            message: string;
            stack?: string;
            source?: string;
            line?: number;
            column?: number;
            at?: string;
        }>;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/preview-errors';
};

export type StorePreviewErrorsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StorePreviewErrorsError = StorePreviewErrorsErrors[keyof StorePreviewErrorsErrors];

export type StorePreviewErrorsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            stored: number;
        };
    };
};

export type StorePreviewErrorsResponse = StorePreviewErrorsResponses[keyof StorePreviewErrorsResponses];

export type GetUsageData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/usage';
};

export type GetUsageErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetUsageError = GetUsageErrors[keyof GetUsageErrors];

export type GetUsageResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Usage;
    };
};

export type GetUsageResponse = GetUsageResponses[keyof GetUsageResponses];

export type GetSourceData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/source';
};

export type GetSourceErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetSourceError = GetSourceErrors[keyof GetSourceErrors];

export type GetSourceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Source | null;
    };
};

export type GetSourceResponse = GetSourceResponses[keyof GetSourceResponses];

export type ListFilesData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/files';
};

export type ListFilesErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListFilesError = ListFilesErrors[keyof ListFilesErrors];

export type ListFilesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            paths: Array<string>;
        };
    };
};

export type ListFilesResponse = ListFilesResponses[keyof ListFilesResponses];

export type ListPackagesData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/packages';
};

export type ListPackagesErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListPackagesError = ListPackagesErrors[keyof ListPackagesErrors];

export type ListPackagesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: AppPackages;
    };
};

export type ListPackagesResponse = ListPackagesResponses[keyof ListPackagesResponses];

export type ListVersionsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/versions';
};

export type ListVersionsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListVersionsError = ListVersionsErrors[keyof ListVersionsErrors];

export type ListVersionsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<Version>;
    };
};

export type ListVersionsResponse = ListVersionsResponses[keyof ListVersionsResponses];

export type GetVersionDiffData = {
    body?: never;
    path: {
        projectId: string;
        sha: string;
    };
    query?: {
        base?: string;
    };
    url: '/api/v1/projects/{projectId}/versions/{sha}/diff';
};

export type GetVersionDiffErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetVersionDiffError = GetVersionDiffErrors[keyof GetVersionDiffErrors];

export type GetVersionDiffResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: VersionDiff;
    };
};

export type GetVersionDiffResponse = GetVersionDiffResponses[keyof GetVersionDiffResponses];

export type RevertProjectData = {
    body?: never;
    path: {
        projectId: string;
        sha: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/versions/{sha}/revert';
};

export type RevertProjectErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RevertProjectError = RevertProjectErrors[keyof RevertProjectErrors];

export type RevertProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            /**
             * The new commit.
             */
            sha: string;
            /**
             * The version whose tree it has.
             */
            restored: string;
        };
    };
};

export type RevertProjectResponse = RevertProjectResponses[keyof RevertProjectResponses];

export type GetSourceZipData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/source.zip';
};

export type GetSourceZipErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetSourceZipError = GetSourceZipErrors[keyof GetSourceZipErrors];

export type GetSourceZipResponses = {
    /**
     * The bytes.
     */
    200: Blob | File;
};

export type GetSourceZipResponse = GetSourceZipResponses[keyof GetSourceZipResponses];

export type ListHistoryData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/history';
};

export type ListHistoryErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListHistoryError = ListHistoryErrors[keyof ListHistoryErrors];

export type ListHistoryResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<HistoryEvent>;
    };
};

export type ListHistoryResponse = ListHistoryResponses[keyof ListHistoryResponses];

export type BackUpProjectData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/backup';
};

export type BackUpProjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type BackUpProjectError = BackUpProjectErrors[keyof BackUpProjectErrors];

export type BackUpProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Backup;
    };
};

export type BackUpProjectResponse = BackUpProjectResponses[keyof BackUpProjectResponses];

export type GetDeployData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/deploy';
};

export type GetDeployErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetDeployError = GetDeployErrors[keyof GetDeployErrors];

export type GetDeployResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DeployState;
    };
};

export type GetDeployResponse = GetDeployResponses[keyof GetDeployResponses];

export type ShipProjectData = {
    body?: {
        /**
         * For a project that moves: `copy` takes the records and files of the live app along, `leave` starts empty and removes them with what is left behind. Omitted: what was chosen when the account was connected.
         */
        liveData?: 'copy' | 'leave';
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/deploy';
};

export type ShipProjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `payment_required`
     */
    402: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `model_required`
     */
    412: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ShipProjectError = ShipProjectErrors[keyof ShipProjectErrors];

export type ShipProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DeployState;
    };
};

export type ShipProjectResponse = ShipProjectResponses[keyof ShipProjectResponses];

export type GetReadinessData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/deploy/readiness';
};

export type GetReadinessErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetReadinessError = GetReadinessErrors[keyof GetReadinessErrors];

export type GetReadinessResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            state: 'none' | 'deploying' | 'live' | 'error' | 'archived';
            url: string | null;
            sha: string | null;
            builtSha: string | null;
            upToDate: boolean;
            deployedAt: string | null;
            error: string | null;
            /**
             * The move to the connected account; null when there is none.
             */
            move: {
                state: 'waiting' | 'moving' | 'removing';
                /**
                 * The account it moves away from.
                 */
                from: {
                    id: string;
                    name: string | null;
                };
                liveData: 'copy' | 'leave';
                /**
                 * Records copied by the ship that takes the project along.
                 */
                records: number;
                files: number;
                /**
                 * Why what is left there could not be removed yet; it is tried again.
                 */
                problem: string | null;
            } | null;
            readiness: {
                ready: boolean;
                warming: Array<string>;
                failed: Array<{
                    key: string;
                    reason: string;
                }>;
                /**
                 * What a person has not given yet, like the secret of an endpoint. The app serves without it.
                 */
                missing: Array<{
                    key: string;
                    reason: string;
                }>;
            };
        };
    };
};

export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];

export type RetryDeploymentData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/deploy/retry';
};

export type RetryDeploymentErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RetryDeploymentError = RetryDeploymentErrors[keyof RetryDeploymentErrors];

export type RetryDeploymentResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            state: 'none' | 'deploying' | 'live' | 'error' | 'archived';
            url: string | null;
            sha: string | null;
            builtSha: string | null;
            upToDate: boolean;
            deployedAt: string | null;
            error: string | null;
            /**
             * The move to the connected account; null when there is none.
             */
            move: {
                state: 'waiting' | 'moving' | 'removing';
                /**
                 * The account it moves away from.
                 */
                from: {
                    id: string;
                    name: string | null;
                };
                liveData: 'copy' | 'leave';
                /**
                 * Records copied by the ship that takes the project along.
                 */
                records: number;
                files: number;
                /**
                 * Why what is left there could not be removed yet; it is tried again.
                 */
                problem: string | null;
            } | null;
            previewUrl: string;
        };
    };
};

export type RetryDeploymentResponse = RetryDeploymentResponses[keyof RetryDeploymentResponses];

export type ListDeploymentsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/deployments';
};

export type ListDeploymentsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListDeploymentsError = ListDeploymentsErrors[keyof ListDeploymentsErrors];

export type ListDeploymentsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            managed: Array<{
                id: string;
                kind: string;
                name: string;
                capability: string | null;
                /**
                 * Every enabled capability that needs it, the first one included.
                 */
                capabilities: Array<string>;
                status: 'ok' | 'missing' | 'drifted' | 'error';
                version: string | null;
                url: string | null;
                createdAt: string;
                updatedAt: string;
            }>;
            releases: Array<{
                id: string;
                sha: string;
                version: string | null;
                actor: string | null;
                at: string;
                current: boolean;
                /**
                 * Whether a rollback of the live app would serve this version.
                 */
                previous: boolean;
            }>;
        };
    };
};

export type ListDeploymentsResponse = ListDeploymentsResponses[keyof ListDeploymentsResponses];

export type PreviewProjectData = {
    body?: {
        ticketId?: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/preview';
};

export type PreviewProjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type PreviewProjectError = PreviewProjectErrors[keyof PreviewProjectErrors];

export type PreviewProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            artifact: {
                sha: string;
                generatedBy: string | null;
                files: Array<string>;
                builtAt: string | null;
            };
            previewUrl: string;
        };
    };
};

export type PreviewProjectResponse = PreviewProjectResponses[keyof PreviewProjectResponses];

export type GetDomainStatusData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        fresh?: '0' | '1';
    };
    url: '/api/v1/projects/{projectId}/domain/status';
};

export type GetDomainStatusErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetDomainStatusError = GetDomainStatusErrors[keyof GetDomainStatusErrors];

export type GetDomainStatusResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DomainStatus;
    };
};

export type GetDomainStatusResponse = GetDomainStatusResponses[keyof GetDomainStatusResponses];

export type OnboardDomainData = {
    body: {
        /**
         * The host name the app is to have, such as `app.example.com`; not a URL.
         */
        hostname: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/domain/onboard';
};

export type OnboardDomainErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `payment_required`
     */
    402: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type OnboardDomainError = OnboardDomainErrors[keyof OnboardDomainErrors];

export type OnboardDomainResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DomainStatus;
    };
};

export type OnboardDomainResponse = OnboardDomainResponses[keyof OnboardDomainResponses];

export type AttachDomainData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/domain/attach';
};

export type AttachDomainErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type AttachDomainError = AttachDomainErrors[keyof AttachDomainErrors];

export type AttachDomainResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DomainStatus;
    };
};

export type AttachDomainResponse = AttachDomainResponses[keyof AttachDomainResponses];

export type RemoveDomainData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/domain';
};

export type RemoveDomainErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RemoveDomainError = RemoveDomainErrors[keyof RemoveDomainErrors];

export type RemoveDomainResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DomainStatus;
    };
};

export type RemoveDomainResponse = RemoveDomainResponses[keyof RemoveDomainResponses];

export type GetEmailStatusData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/email/status';
};

export type GetEmailStatusErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetEmailStatusError = GetEmailStatusErrors[keyof GetEmailStatusErrors];

export type GetEmailStatusResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: EmailStatus;
    };
};

export type GetEmailStatusResponse = GetEmailStatusResponses[keyof GetEmailStatusResponses];

export type OnboardEmailData = {
    body: {
        zoneId: string;
        localPart: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/email/onboard';
};

export type OnboardEmailErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type OnboardEmailError = OnboardEmailErrors[keyof OnboardEmailErrors];

export type OnboardEmailResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: EmailStatus;
    };
};

export type OnboardEmailResponse = OnboardEmailResponses[keyof OnboardEmailResponses];

export type VerifyEmailData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/email/verify';
};

export type VerifyEmailErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type VerifyEmailError = VerifyEmailErrors[keyof VerifyEmailErrors];

export type VerifyEmailResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            verified: boolean;
            from?: string;
            dns: Array<{
                type: string;
                name: string;
                value: string;
                priority?: number;
                present: boolean;
            }>;
        };
    };
};

export type VerifyEmailResponse = VerifyEmailResponses[keyof VerifyEmailResponses];

export type ReplaceMailboxesData = {
    body: {
        mailboxes: Array<{
            localPart: string;
            collection: string;
            notify: boolean;
        }>;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/email/mailboxes';
};

export type ReplaceMailboxesErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReplaceMailboxesError = ReplaceMailboxesErrors[keyof ReplaceMailboxesErrors];

export type ReplaceMailboxesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            mailboxes: Array<{
                localPart: string;
                address: string;
                collection: string;
                notify: boolean;
            }>;
            routing: 'none' | 'ready' | 'misconfigured';
        };
    };
};

export type ReplaceMailboxesResponse = ReplaceMailboxesResponses[keyof ReplaceMailboxesResponses];

export type ListAppMailsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/email/mails';
};

export type ListAppMailsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListAppMailsError = ListAppMailsErrors[keyof ListAppMailsErrors];

export type ListAppMailsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            /**
             * Who wrote it: the code of the app, or Slipway for signing in, into a team, or about new mail.
             */
            kind: 'app' | 'auth' | 'invitation' | 'notice';
            to: Array<string>;
            /**
             * Null for a message of sign-in: it may hold a code.
             */
            subject: string | null;
            /**
             * `waiting` is sent as soon as it can be; `failed` was given up; `kept` is a message of sign-in from a time when email was off, and is never sent.
             */
            state: 'kept' | 'waiting' | 'sent' | 'failed';
            attempts: number;
            /**
             * Why the last attempt failed.
             */
            error: string | null;
            createdAt: string;
            sentAt: string | null;
        }>;
    };
};

export type ListAppMailsResponse = ListAppMailsResponses[keyof ListAppMailsResponses];

export type CheckPaymentKeyData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/key/check';
};

export type CheckPaymentKeyErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CheckPaymentKeyError = CheckPaymentKeyErrors[keyof CheckPaymentKeyErrors];

export type CheckPaymentKeyResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: PaymentKeyCheck;
    };
};

export type CheckPaymentKeyResponse = CheckPaymentKeyResponses[keyof CheckPaymentKeyResponses];

export type ListPaymentProductsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/products';
};

export type ListPaymentProductsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListPaymentProductsError = ListPaymentProductsErrors[keyof ListPaymentProductsErrors];

export type ListPaymentProductsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<PaymentProduct>;
    };
};

export type ListPaymentProductsResponse = ListPaymentProductsResponses[keyof ListPaymentProductsResponses];

export type CreatePaymentProductData = {
    body: {
        name?: string;
        /**
         * In the smallest unit of the currency: 1200 is 12 dollars, and 1200 yen.
         */
        amount: number;
        /**
         * Without it that of the settings.
         */
        currency?: string;
        interval?: 'day' | 'week' | 'month' | 'year';
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/products';
};

export type CreatePaymentProductErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreatePaymentProductError = CreatePaymentProductErrors[keyof CreatePaymentProductErrors];

export type CreatePaymentProductResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: PaymentProduct;
    };
};

export type CreatePaymentProductResponse = CreatePaymentProductResponses[keyof CreatePaymentProductResponses];

export type SetPaymentPriceData = {
    body: {
        /**
         * In the smallest unit of the currency: 1200 is 12 dollars, and 1200 yen.
         */
        amount: number;
        currency?: string;
        interval?: 'day' | 'week' | 'month' | 'year';
    };
    path: {
        projectId: string;
        productId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/products/{productId}/price';
};

export type SetPaymentPriceErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetPaymentPriceError = SetPaymentPriceErrors[keyof SetPaymentPriceErrors];

export type SetPaymentPriceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: PaymentProduct;
    };
};

export type SetPaymentPriceResponse = SetPaymentPriceResponses[keyof SetPaymentPriceResponses];

export type ArchivePaymentProductData = {
    body?: never;
    path: {
        projectId: string;
        productId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/products/{productId}/archive';
};

export type ArchivePaymentProductErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ArchivePaymentProductError = ArchivePaymentProductErrors[keyof ArchivePaymentProductErrors];

export type ArchivePaymentProductResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: PaymentProduct;
    };
};

export type ArchivePaymentProductResponse = ArchivePaymentProductResponses[keyof ArchivePaymentProductResponses];

export type ListDiscountCodesData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/codes';
};

export type ListDiscountCodesErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListDiscountCodesError = ListDiscountCodesErrors[keyof ListDiscountCodesErrors];

export type ListDiscountCodesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<DiscountCode>;
    };
};

export type ListDiscountCodesResponse = ListDiscountCodesResponses[keyof ListDiscountCodesResponses];

export type CreateDiscountCodeData = {
    body?: {
        /**
         * What customers type in. Without it one is made.
         */
        code?: string;
        percentOff?: number;
        /**
         * In the smallest unit of the currency: 1200 is 12 dollars, and 1200 yen.
         */
        amountOff?: number;
        currency?: string;
        maxRedemptions?: number;
        /**
         * Of subscriptions. Without it once.
         */
        duration?: 'once' | 'forever';
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/codes';
};

export type CreateDiscountCodeErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateDiscountCodeError = CreateDiscountCodeErrors[keyof CreateDiscountCodeErrors];

export type CreateDiscountCodeResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DiscountCode;
    };
};

export type CreateDiscountCodeResponse = CreateDiscountCodeResponses[keyof CreateDiscountCodeResponses];

export type ArchiveDiscountCodeData = {
    body?: never;
    path: {
        projectId: string;
        codeId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/pay/codes/{codeId}/archive';
};

export type ArchiveDiscountCodeErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ArchiveDiscountCodeError = ArchiveDiscountCodeErrors[keyof ArchiveDiscountCodeErrors];

export type ArchiveDiscountCodeResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DiscountCode;
    };
};

export type ArchiveDiscountCodeResponse = ArchiveDiscountCodeResponses[keyof ArchiveDiscountCodeResponses];

export type RollBackResourceData = {
    body?: never;
    path: {
        projectId: string;
        resourceId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/resources/{resourceId}/rollback';
};

export type RollBackResourceErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RollBackResourceError = RollBackResourceErrors[keyof RollBackResourceErrors];

export type RollBackResourceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            resourceId: string;
            tier: 'production' | 'preview';
            url: string;
            from: {
                sha: string;
                version: string | null;
            };
            to: {
                sha: string;
                version: string | null;
            };
        };
    };
};

export type RollBackResourceResponse = RollBackResourceResponses[keyof RollBackResourceResponses];

export type RemoveResourceData = {
    body?: never;
    path: {
        projectId: string;
        resourceId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/resources/{resourceId}';
};

export type RemoveResourceErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RemoveResourceError = RemoveResourceErrors[keyof RemoveResourceErrors];

export type RemoveResourceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            removed: Array<{
                id: string;
                kind: string;
                name: string;
            }>;
            data: string | null;
            remaining: number;
        };
    };
};

export type RemoveResourceResponse = RemoveResourceResponses[keyof RemoveResourceResponses];

export type ReconcileProjectData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/reconcile';
};

export type ReconcileProjectErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReconcileProjectError = ReconcileProjectErrors[keyof ReconcileProjectErrors];

export type ReconcileProjectResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            checked: number;
            repaired: Array<{
                id: string;
                kind: string;
                name: string;
                action: string;
            }>;
            failed: Array<{
                id: string;
                reason: string;
            }>;
        };
    };
};

export type ReconcileProjectResponse = ReconcileProjectResponses[keyof ReconcileProjectResponses];

export type GetAnalyticsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/analytics';
};

export type GetAnalyticsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetAnalyticsError = GetAnalyticsErrors[keyof GetAnalyticsErrors];

export type GetAnalyticsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Analytics;
    };
};

export type GetAnalyticsResponse = GetAnalyticsResponses[keyof GetAnalyticsResponses];

export type ListLiveErrorsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/errors';
};

export type ListLiveErrorsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListLiveErrorsError = ListLiveErrorsErrors[keyof ListLiveErrorsErrors];

export type ListLiveErrorsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: LiveErrors;
    };
};

export type ListLiveErrorsResponse = ListLiveErrorsResponses[keyof ListLiveErrorsResponses];

export type GetTrafficData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/traffic';
};

export type GetTrafficErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetTrafficError = GetTrafficErrors[keyof GetTrafficErrors];

export type GetTrafficResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Traffic;
    };
};

export type GetTrafficResponse = GetTrafficResponses[keyof GetTrafficResponses];

export type ListCapabilitiesData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities';
};

export type ListCapabilitiesErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListCapabilitiesError = ListCapabilitiesErrors[keyof ListCapabilitiesErrors];

export type ListCapabilitiesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            key: 'auth' | 'team' | 'data' | 'files' | 'assets' | 'email' | 'ai' | 'pay' | 'live' | 'call' | 'schedule' | 'queue' | 'flow' | 'connect' | 'hook' | 'render' | 'video' | 'push' | 'events' | 'guard' | 'meter';
            title: string;
            enabled: boolean;
            provision: {
                state: 'creating' | 'idle' | 'error';
                error: {
                    code: string;
                    message: string;
                } | null;
            };
        }>;
    };
};

export type ListCapabilitiesResponse = ListCapabilitiesResponses[keyof ListCapabilitiesResponses];

export type GetCapabilityData = {
    body?: never;
    path: {
        projectId: string;
        key: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/{key}';
};

export type GetCapabilityErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetCapabilityError = GetCapabilityErrors[keyof GetCapabilityErrors];

export type GetCapabilityResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Capability;
    };
};

export type GetCapabilityResponse = GetCapabilityResponses[keyof GetCapabilityResponses];

export type SetCapabilityData = {
    body: {
        enabled: boolean;
        settings?: {
            [key: string]: unknown;
        };
        secrets?: {
            [key: string]: string | null;
        };
    };
    path: {
        projectId: string;
        key: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/{key}';
};

export type SetCapabilityErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetCapabilityError = SetCapabilityErrors[keyof SetCapabilityErrors];

export type SetCapabilityResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Capability;
    };
};

export type SetCapabilityResponse = SetCapabilityResponses[keyof SetCapabilityResponses];

export type ListAppUsersData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/auth/users';
};

export type ListAppUsersErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListAppUsersError = ListAppUsersErrors[keyof ListAppUsersErrors];

export type ListAppUsersResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            email: string;
            emailVerified: boolean;
            name: string;
            role: 'staff' | 'member';
            sessions: number;
            methods: Array<string>;
            createdAt: string;
            lastSeenAt: string | null;
            /**
             * The services (`connect`) that refused the access of this person, who has to link them again.
             */
            brokenConnections: Array<string>;
            /**
             * The erasure of this person has begun and is not complete yet: signing in as them is refused.
             */
            erasing: boolean;
        }>;
    };
};

export type ListAppUsersResponse = ListAppUsersResponses[keyof ListAppUsersResponses];

export type ListAppOutboxData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/auth/outbox';
};

export type ListAppOutboxErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListAppOutboxError = ListAppOutboxErrors[keyof ListAppOutboxErrors];

export type ListAppOutboxResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: number;
            to: string;
            subject: string;
            text: string;
            createdAt: string;
        }>;
    };
};

export type ListAppOutboxResponse = ListAppOutboxResponses[keyof ListAppOutboxResponses];

export type ListAppPeopleData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        q?: string;
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/projects/{projectId}/capabilities/auth/people';
};

export type ListAppPeopleErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListAppPeopleError = ListAppPeopleErrors[keyof ListAppPeopleErrors];

export type ListAppPeopleResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<{
                id: string;
                email: string;
                emailVerified: boolean;
                name: string;
                role: 'staff' | 'member';
                sessions: number;
                methods: Array<string>;
                createdAt: string;
                lastSeenAt: string | null;
                /**
                 * The services (`connect`) that refused the access of this person, who has to link them again.
                 */
                brokenConnections: Array<string>;
                /**
                 * The erasure of this person has begun and is not complete yet: signing in as them is refused.
                 */
                erasing: boolean;
            }>;
            nextCursor: string | null;
        };
    };
};

export type ListAppPeopleResponse = ListAppPeopleResponses[keyof ListAppPeopleResponses];

export type SetAppUserRoleData = {
    body: {
        role: 'staff' | 'member';
    };
    path: {
        projectId: string;
        userId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/auth/users/{userId}/role';
};

export type SetAppUserRoleErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetAppUserRoleError = SetAppUserRoleErrors[keyof SetAppUserRoleErrors];

export type SetAppUserRoleResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            email: string;
            emailVerified: boolean;
            name: string;
            role: 'staff' | 'member';
            sessions: number;
            methods: Array<string>;
            createdAt: string;
            lastSeenAt: string | null;
            /**
             * The services (`connect`) that refused the access of this person, who has to link them again.
             */
            brokenConnections: Array<string>;
            /**
             * The erasure of this person has begun and is not complete yet: signing in as them is refused.
             */
            erasing: boolean;
        };
    };
};

export type SetAppUserRoleResponse = SetAppUserRoleResponses[keyof SetAppUserRoleResponses];

export type OpenAppAsStaffData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/auth/handover';
};

export type OpenAppAsStaffErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type OpenAppAsStaffError = OpenAppAsStaffErrors[keyof OpenAppAsStaffErrors];

export type OpenAppAsStaffResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            /**
             * For one use within a minute. The part after # is never sent to a server.
             */
            url: string;
        };
    };
};

export type OpenAppAsStaffResponse = OpenAppAsStaffResponses[keyof OpenAppAsStaffResponses];

export type EraseAppUserData = {
    body?: never;
    path: {
        projectId: string;
        userId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/auth/users/{userId}';
};

export type EraseAppUserErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type EraseAppUserError = EraseAppUserErrors[keyof EraseAppUserErrors];

export type EraseAppUserResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            userId: string;
            removed: {
                [key: string]: number;
            };
            kept: {
                paidOrders: number;
                sharedRecords: number;
            };
        };
    };
};

export type EraseAppUserResponse = EraseAppUserResponses[keyof EraseAppUserResponses];

export type ListTeamsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/team/teams';
};

export type ListTeamsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListTeamsError = ListTeamsErrors[keyof ListTeamsErrors];

export type ListTeamsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            name: string;
            members: number;
            pendingInvites: number;
            createdAt: string;
            createdBy: string | null;
        }>;
    };
};

export type ListTeamsResponse = ListTeamsResponses[keyof ListTeamsResponses];

export type ListCollectionsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/data/collections';
};

export type ListCollectionsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListCollectionsError = ListCollectionsErrors[keyof ListCollectionsErrors];

export type ListCollectionsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            name: string;
            title: string;
            partition: 'app' | 'user' | 'team';
            read: string;
            write: string;
            fields: Array<{
                name: string;
                type: string;
                required: boolean;
                index: boolean;
                search: boolean;
                title?: string;
                unique?: boolean;
                values?: Array<string>;
                ref?: string;
                as?: 'long' | 'email' | 'url';
                currency?: string;
                max?: number;
                default?: unknown;
            }>;
            label?: string | null;
            count: number;
            updatedAt: string | null;
        }>;
    };
};

export type ListCollectionsResponse = ListCollectionsResponses[keyof ListCollectionsResponses];

export type ListRecordsData = {
    body?: never;
    path: {
        projectId: string;
        collection: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}';
};

export type ListRecordsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListRecordsError = ListRecordsErrors[keyof ListRecordsErrors];

export type ListRecordsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            ownerId: string | null;
            rev: number;
            createdAt: string;
            updatedAt: string;
            partition: string;
            [key: string]: unknown;
        }>;
    };
};

export type ListRecordsResponse = ListRecordsResponses[keyof ListRecordsResponses];

export type ListRecordPagesData = {
    body?: never;
    path: {
        projectId: string;
        collection: string;
    };
    query?: {
        partition?: string;
        sort?: string;
        where?: string;
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/projects/{projectId}/capabilities/data/pages/{collection}';
};

export type ListRecordPagesErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListRecordPagesError = ListRecordPagesErrors[keyof ListRecordPagesErrors];

export type ListRecordPagesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<{
                id: string;
                ownerId: string | null;
                rev: number;
                createdAt: string;
                updatedAt: string;
                partition: string;
                [key: string]: unknown;
            }>;
            nextCursor: string | null;
        };
    };
};

export type ListRecordPagesResponse = ListRecordPagesResponses[keyof ListRecordPagesResponses];

export type CreateRecordData = {
    body?: {
        [key: string]: unknown;
    };
    path: {
        projectId: string;
        collection: string;
        partition: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}/{partition}';
};

export type CreateRecordErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateRecordError = CreateRecordErrors[keyof CreateRecordErrors];

export type CreateRecordResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            ownerId: string | null;
            rev: number;
            createdAt: string;
            updatedAt: string;
            partition: string;
            [key: string]: unknown;
        };
    };
};

export type CreateRecordResponse = CreateRecordResponses[keyof CreateRecordResponses];

export type ImportRecordsData = {
    body: {
        records: Array<{
            id: string;
            fields: {
                [key: string]: unknown;
            };
        }>;
        trial?: boolean;
    };
    path: {
        projectId: string;
        collection: string;
        partition: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/data/import/{collection}/{partition}';
};

export type ImportRecordsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ImportRecordsError = ImportRecordsErrors[keyof ImportRecordsErrors];

export type ImportRecordsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            problem: {
                field: string | null;
                message: string;
            } | null;
        }>;
    };
};

export type ImportRecordsResponse = ImportRecordsResponses[keyof ImportRecordsResponses];

export type DeleteRecordData = {
    body?: never;
    path: {
        projectId: string;
        collection: string;
        partition: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}/{partition}/{id}';
};

export type DeleteRecordErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteRecordError = DeleteRecordErrors[keyof DeleteRecordErrors];

export type DeleteRecordResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
        };
    };
};

export type DeleteRecordResponse = DeleteRecordResponses[keyof DeleteRecordResponses];

export type ReplaceRecordData = {
    body?: {
        [key: string]: unknown;
    };
    path: {
        projectId: string;
        collection: string;
        partition: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}/{partition}/{id}';
};

export type ReplaceRecordErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReplaceRecordError = ReplaceRecordErrors[keyof ReplaceRecordErrors];

export type ReplaceRecordResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            ownerId: string | null;
            rev: number;
            createdAt: string;
            updatedAt: string;
            partition: string;
            [key: string]: unknown;
        };
    };
};

export type ReplaceRecordResponse = ReplaceRecordResponses[keyof ReplaceRecordResponses];

export type QueryRecordsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query: {
        collection: string;
        q: string;
    };
    url: '/api/v1/projects/{projectId}/capabilities/data/query';
};

export type QueryRecordsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type QueryRecordsError = QueryRecordsErrors[keyof QueryRecordsErrors];

export type QueryRecordsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            ownerId: string | null;
            rev: number;
            createdAt: string;
            updatedAt: string;
            partition: string;
            [key: string]: unknown;
        }>;
    };
};

export type QueryRecordsResponse = QueryRecordsResponses[keyof QueryRecordsResponses];

export type ListFileObjectsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/projects/{projectId}/capabilities/files/objects';
};

export type ListFileObjectsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListFileObjectsError = ListFileObjectsErrors[keyof ListFileObjectsErrors];

export type ListFileObjectsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<{
                key: string;
                name: string;
                size: number;
                contentType: string;
                ownerId: string | null;
                uploadedAt: string;
            }>;
            nextCursor: string | null;
        };
    };
};

export type ListFileObjectsResponse = ListFileObjectsResponses[keyof ListFileObjectsResponses];

export type GetFileObjectData = {
    body?: never;
    path: {
        projectId: string;
    };
    query: {
        key: string;
    };
    url: '/api/v1/projects/{projectId}/capabilities/files/object';
};

export type GetFileObjectErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetFileObjectError = GetFileObjectErrors[keyof GetFileObjectErrors];

export type GetFileObjectResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type GetFileObjectResponse = GetFileObjectResponses[keyof GetFileObjectResponses];

export type ListAssetsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/assets';
};

export type ListAssetsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListAssetsError = ListAssetsErrors[keyof ListAssetsErrors];

export type ListAssetsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<Asset>;
    };
};

export type ListAssetsResponse = ListAssetsResponses[keyof ListAssetsResponses];

export type InitAssetUploadData = {
    body: {
        /**
         * Where the app will serve it: `/_app/assets/<path>`. Slashes make folders.
         */
        path: string;
        contentType: string;
        size: number;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/assets/upload-init';
};

export type InitAssetUploadErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type InitAssetUploadError = InitAssetUploadErrors[keyof InitAssetUploadErrors];

export type InitAssetUploadResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: UploadTicket;
    };
};

export type InitAssetUploadResponse = InitAssetUploadResponses[keyof InitAssetUploadResponses];

export type FinalizeAssetData = {
    body: {
        key: string;
        /**
         * Shown name; default the path's last part.
         */
        name?: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/assets/finalize';
};

export type FinalizeAssetErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type FinalizeAssetError = FinalizeAssetErrors[keyof FinalizeAssetErrors];

export type FinalizeAssetResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Asset;
    };
};

export type FinalizeAssetResponse = FinalizeAssetResponses[keyof FinalizeAssetResponses];

export type DeleteAssetData = {
    body?: never;
    path: {
        projectId: string;
        path: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/assets/{path}';
};

export type DeleteAssetErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteAssetError = DeleteAssetErrors[keyof DeleteAssetErrors];

export type DeleteAssetResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            path: string;
        };
    };
};

export type DeleteAssetResponse = DeleteAssetResponses[keyof DeleteAssetResponses];

export type GetAssetData = {
    body?: never;
    path: {
        projectId: string;
        path: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/assets/{path}';
};

export type GetAssetErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetAssetError = GetAssetErrors[keyof GetAssetErrors];

export type GetAssetResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type GetAssetResponse = GetAssetResponses[keyof GetAssetResponses];

export type SetAssetAccessData = {
    body: {
        access: AssetAccess;
    };
    path: {
        projectId: string;
        path: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/assets/{path}';
};

export type SetAssetAccessErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetAssetAccessError = SetAssetAccessErrors[keyof SetAssetAccessErrors];

export type SetAssetAccessResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Asset;
    };
};

export type SetAssetAccessResponse = SetAssetAccessResponses[keyof SetAssetAccessResponses];

export type RunAiData = {
    body: {
        prompt: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/ai/run';
};

export type RunAiErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `model_error`, `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RunAiError = RunAiErrors[keyof RunAiErrors];

export type RunAiResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            text: string;
        };
    };
};

export type RunAiResponse = RunAiResponses[keyof RunAiResponses];

export type GetAiSpendData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/ai/spend';
};

export type GetAiSpendErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetAiSpendError = GetAiSpendErrors[keyof GetAiSpendErrors];

export type GetAiSpendResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            month: string;
            used: number;
        };
    };
};

export type GetAiSpendResponse = GetAiSpendResponses[keyof GetAiSpendResponses];

export type ListOrdersData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/pay/orders';
};

export type ListOrdersErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListOrdersError = ListOrdersErrors[keyof ListOrdersErrors];

export type ListOrdersResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<{
                id: string;
                userId: string | null;
                productId: string;
                amount: number;
                currency: string;
                status: 'open' | 'paid' | 'failed' | 'refunded';
                code: string | null;
                /**
                 * Paid with money, or with a test card.
                 */
                mode: 'live' | 'test';
                createdAt: string;
                paidAt: string | null;
                refundedAmount: number;
            }>;
            rollup: {
                orders: number;
                paid: number;
                revenue: {
                    [key: string]: number;
                };
            };
        };
    };
};

export type ListOrdersResponse = ListOrdersResponses[keyof ListOrdersResponses];

export type ListEntitlementsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/pay/entitlements';
};

export type ListEntitlementsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListEntitlementsError = ListEntitlementsErrors[keyof ListEntitlementsErrors];

export type ListEntitlementsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            userId: string;
            productId: string;
            kind: 'once' | 'subscription';
            since: string;
            /**
             * When access ends unless another payment comes.
             */
            until: string | null;
        }>;
    };
};

export type ListEntitlementsResponse = ListEntitlementsResponses[keyof ListEntitlementsResponses];

export type ListCallsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/call/calls';
};

export type ListCallsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListCallsError = ListCallsErrors[keyof ListCallsErrors];

export type ListCallsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            room: string;
            id: string;
            partition: string | null;
            mode: 'mesh' | 'sfu';
            startedAt: string;
            people: Array<{
                userId: string | null;
                name: string | null;
                joinedAt: string;
                tracks: Array<'audio' | 'video' | 'screen'>;
                muted: Array<'audio' | 'video' | 'screen'>;
            }>;
        }>;
    };
};

export type ListCallsResponse = ListCallsResponses[keyof ListCallsResponses];

export type ListScheduledJobsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/schedule/jobs';
};

export type ListScheduledJobsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListScheduledJobsError = ListScheduledJobsErrors[keyof ListScheduledJobsErrors];

export type ListScheduledJobsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            name: string;
            repeat: string;
            nextRunAt: string | null;
            lastRunAt: string | null;
            lastStatus: 'ok' | 'failed' | 'skipped' | null;
            lastDurationMs: number | null;
            attempts: number;
            lastError: string | null;
            paused: boolean;
        }>;
    };
};

export type ListScheduledJobsResponse = ListScheduledJobsResponses[keyof ListScheduledJobsResponses];

export type ListFlowRunsData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/projects/{projectId}/capabilities/flow/runs';
};

export type ListFlowRunsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListFlowRunsError = ListFlowRunsErrors[keyof ListFlowRunsErrors];

export type ListFlowRunsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<{
                id: string;
                status: 'queued' | 'running' | 'waiting' | 'paused' | 'complete' | 'failed' | 'cancelled';
                createdAt: string;
            }>;
            nextCursor: string | null;
        };
    };
};

export type ListFlowRunsResponse = ListFlowRunsResponses[keyof ListFlowRunsResponses];

export type GetFlowRunData = {
    body?: never;
    path: {
        projectId: string;
        flowRunId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/flow/runs/{flowRunId}';
};

export type GetFlowRunErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetFlowRunError = GetFlowRunErrors[keyof GetFlowRunErrors];

export type GetFlowRunResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            /**
             * Null for a run that the app has not started.
             */
            flow: string | null;
            status: 'queued' | 'running' | 'waiting' | 'paused' | 'complete' | 'failed' | 'cancelled';
            createdAt: string | null;
            endedAt: string | null;
            error: string | null;
            steps: Array<{
                name: string;
                kind: 'do' | 'sleep' | 'wait';
                status: 'running' | 'waiting' | 'done' | 'failed';
                startedAt: string | null;
                endedAt: string | null;
                /**
                 * The number of attempts so far; 0 while it waits for its time.
                 */
                attempts: number;
                /**
                 * Why its last attempt failed.
                 */
                error: string | null;
            }>;
        };
    };
};

export type GetFlowRunResponse = GetFlowRunResponses[keyof GetFlowRunResponses];

export type CancelFlowRunData = {
    body?: never;
    path: {
        projectId: string;
        flowRunId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/flow/runs/{flowRunId}/cancel';
};

export type CancelFlowRunErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CancelFlowRunError = CancelFlowRunErrors[keyof CancelFlowRunErrors];

export type CancelFlowRunResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            /**
             * Null for a run that the app has not started.
             */
            flow: string | null;
            status: 'queued' | 'running' | 'waiting' | 'paused' | 'complete' | 'failed' | 'cancelled';
            createdAt: string | null;
            endedAt: string | null;
            error: string | null;
            steps: Array<{
                name: string;
                kind: 'do' | 'sleep' | 'wait';
                status: 'running' | 'waiting' | 'done' | 'failed';
                startedAt: string | null;
                endedAt: string | null;
                /**
                 * The number of attempts so far; 0 while it waits for its time.
                 */
                attempts: number;
                /**
                 * Why its last attempt failed.
                 */
                error: string | null;
            }>;
        };
    };
};

export type CancelFlowRunResponse = CancelFlowRunResponses[keyof CancelFlowRunResponses];

export type RunRenderData = {
    body: {
        as: 'pdf' | 'screenshot' | 'markdown';
        url: string;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/render/run';
};

export type RunRenderErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RunRenderError = RunRenderErrors[keyof RunRenderErrors];

export type RunRenderResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type RunRenderResponse = RunRenderResponses[keyof RunRenderResponses];

export type GetRenderSpendData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/render/spend';
};

export type GetRenderSpendErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetRenderSpendError = GetRenderSpendErrors[keyof GetRenderSpendErrors];

export type GetRenderSpendResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            month: string;
            used: number;
            monthly: number;
        };
    };
};

export type GetRenderSpendResponse = GetRenderSpendResponses[keyof GetRenderSpendResponses];

export type GetVideoSpendData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/video/spend';
};

export type GetVideoSpendErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetVideoSpendError = GetVideoSpendErrors[keyof GetVideoSpendErrors];

export type GetVideoSpendResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            month: string;
            used: number;
            monthly: number;
        };
    };
};

export type GetVideoSpendResponse = GetVideoSpendResponses[keyof GetVideoSpendResponses];

export type ListVideosData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: {
        limit?: number;
    };
    url: '/api/v1/projects/{projectId}/capabilities/video/videos';
};

export type ListVideosErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListVideosError = ListVideosErrors[keyof ListVideosErrors];

export type ListVideosResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            id: string;
            userId: string;
            userName: string | null;
            name: string;
            status: 'pending' | 'processing' | 'ready' | 'error';
            seconds: number | null;
            createdAt: string;
        }>;
    };
};

export type ListVideosResponse = ListVideosResponses[keyof ListVideosResponses];

export type GetEventsSummaryData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/events/summary';
};

export type GetEventsSummaryErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetEventsSummaryError = GetEventsSummaryErrors[keyof GetEventsSummaryErrors];

export type GetEventsSummaryResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            state: 'ok';
            windowDays: 30;
            items: Array<{
                name: string;
                group: string | null;
                count: number;
                value: number;
                visitors: number;
                lastAt: string;
            }>;
            /**
             * Each day of the window in UTC, the oldest first, also those without events.
             */
            days: Array<{
                day: string;
                views: number;
                events: number;
            }>;
        } | {
            state: 'unavailable';
        };
    };
};

export type GetEventsSummaryResponse = GetEventsSummaryResponses[keyof GetEventsSummaryResponses];

export type GetMeterUsageData = {
    body?: never;
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/capabilities/meter/usage';
};

export type GetMeterUsageErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`, `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetMeterUsageError = GetMeterUsageErrors[keyof GetMeterUsageErrors];

export type GetMeterUsageResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            limits: Array<{
                key: string;
                per: 'user' | 'team' | 'app';
                window: 'hour' | 'day' | 'week' | 'month' | 'lifetime';
                limit: number;
                windowStart: string | null;
                windowEnd: string | null;
                spent: number;
                people: number;
            }>;
        };
    };
};

export type GetMeterUsageResponse = GetMeterUsageResponses[keyof GetMeterUsageResponses];

export type InitAttachmentUploadData = {
    body: {
        sha256: string;
        contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
        size: number;
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/attachments/upload-init';
};

export type InitAttachmentUploadErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type InitAttachmentUploadError = InitAttachmentUploadErrors[keyof InitAttachmentUploadErrors];

export type InitAttachmentUploadResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: UploadTicket;
    };
};

export type InitAttachmentUploadResponse = InitAttachmentUploadResponses[keyof InitAttachmentUploadResponses];

export type FinalizeAttachmentData = {
    body: {
        key: string;
        mediaType?: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
    };
    path: {
        projectId: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/attachments/finalize';
};

export type FinalizeAttachmentErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type FinalizeAttachmentError = FinalizeAttachmentErrors[keyof FinalizeAttachmentErrors];

export type FinalizeAttachmentResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Attachment;
    };
};

export type FinalizeAttachmentResponse = FinalizeAttachmentResponses[keyof FinalizeAttachmentResponses];

export type GetAttachmentData = {
    body?: never;
    path: {
        projectId: string;
        file: string;
    };
    query?: never;
    url: '/api/v1/projects/{projectId}/attachments/{file}';
};

export type GetAttachmentErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetAttachmentError = GetAttachmentErrors[keyof GetAttachmentErrors];

export type GetAttachmentResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type GetAttachmentResponse = GetAttachmentResponses[keyof GetAttachmentResponses];

export type GetConnectionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections';
};

export type GetConnectionsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetConnectionsError = GetConnectionsErrors[keyof GetConnectionsErrors];

export type GetConnectionsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Connections;
    };
};

export type GetConnectionsResponse = GetConnectionsResponses[keyof GetConnectionsResponses];

export type StartConnectionData = {
    body?: never;
    path: {
        provider: string;
    };
    query?: {
        /**
         * Omitted: the usual one.
         */
        profile?: 'local' | 'real';
        /**
         * A path of the console to return to.
         */
        next?: string;
        /**
         * Shows the page of the local provider too, which otherwise grants at once.
         */
        prompt?: 'consent';
    };
    url: '/api/v1/connections/{provider}/start';
};

export type StartConnectionErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StartConnectionError = StartConnectionErrors[keyof StartConnectionErrors];

export type StartConnectionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            url: string;
        };
    };
};

export type StartConnectionResponse = StartConnectionResponses[keyof StartConnectionResponses];

export type FinishConnectionData = {
    body?: never;
    path: {
        provider: string;
    };
    query?: never;
    url: '/api/v1/connections/{provider}/callback';
};

export type FinishConnectionErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type FinishConnectionError = FinishConnectionErrors[keyof FinishConnectionErrors];

export type DeleteConnectionData = {
    body?: never;
    path: {
        provider: string;
    };
    query?: never;
    url: '/api/v1/connections/{provider}';
};

export type DeleteConnectionErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteConnectionError = DeleteConnectionErrors[keyof DeleteConnectionErrors];

export type DeleteConnectionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            provider: 'cloudflare' | 'github';
            /**
             * Whether the provider took the grant back; never for a pasted token.
             */
            revoked: boolean;
            stops: Array<string>;
            goesOn: string;
        };
    };
};

export type DeleteConnectionResponse = DeleteConnectionResponses[keyof DeleteConnectionResponses];

export type ConnectCloudflareTokenData = {
    body: {
        token: string;
        /**
         * For a token of several accounts, or of one it may not list.
         */
        accountId?: string;
        /**
         * Omitted: what the token looks like.
         */
        profile?: 'local' | 'real';
        /**
         * For projects that live in the local cloud: whether a ship takes the records and files of the live app along. Omitted: `copy`.
         */
        liveData?: 'copy' | 'leave';
    };
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/token';
};

export type ConnectCloudflareTokenErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ConnectCloudflareTokenError = ConnectCloudflareTokenErrors[keyof ConnectCloudflareTokenErrors];

export type ConnectCloudflareTokenResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Connections;
    };
};

export type ConnectCloudflareTokenResponse = ConnectCloudflareTokenResponses[keyof ConnectCloudflareTokenResponses];

export type ListCloudflareAccountsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/accounts';
};

export type ListCloudflareAccountsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListCloudflareAccountsError = ListCloudflareAccountsErrors[keyof ListCloudflareAccountsErrors];

export type ListCloudflareAccountsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            accounts: Array<{
                id: string;
                name: string;
            }>;
            chosen: string | null;
            /**
             * The account projects are deployed in: no other can be chosen. Never a local one.
             */
            locked: string | null;
        };
    };
};

export type ListCloudflareAccountsResponse = ListCloudflareAccountsResponses[keyof ListCloudflareAccountsResponses];

export type ChooseCloudflareAccountData = {
    body: {
        accountId: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/account';
};

export type ChooseCloudflareAccountErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ChooseCloudflareAccountError = ChooseCloudflareAccountErrors[keyof ChooseCloudflareAccountErrors];

export type ChooseCloudflareAccountResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Connections;
    };
};

export type ChooseCloudflareAccountResponse = ChooseCloudflareAccountResponses[keyof ChooseCloudflareAccountResponses];

export type ListMovesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/moves';
};

export type ListMovesErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListMovesError = ListMovesErrors[keyof ListMovesErrors];

export type ListMovesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<{
            state: 'waiting' | 'moving' | 'removing';
            /**
             * The account it moves away from.
             */
            from: {
                id: string;
                name: string | null;
            };
            liveData: 'copy' | 'leave';
            /**
             * Records copied by the ship that takes the project along.
             */
            records: number;
            files: number;
            /**
             * Why what is left there could not be removed yet; it is tried again.
             */
            problem: string | null;
            projectId: string;
            projectName: string;
            /**
             * Whether something is built and it is not archived.
             */
            canShip: boolean;
        }>;
    };
};

export type ListMovesResponse = ListMovesResponses[keyof ListMovesResponses];

export type GetObjectStorageStatusData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/r2';
};

export type GetObjectStorageStatusErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetObjectStorageStatusError = GetObjectStorageStatusErrors[keyof GetObjectStorageStatusErrors];

export type GetObjectStorageStatusResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            state: 'ok';
        } | {
            state: 'refused';
            message: string;
        };
    };
};

export type GetObjectStorageStatusResponse = GetObjectStorageStatusResponses[keyof GetObjectStorageStatusResponses];

export type GetVideoStatusData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/stream';
};

export type GetVideoStatusErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetVideoStatusError = GetVideoStatusErrors[keyof GetVideoStatusErrors];

export type GetVideoStatusResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            state: 'ok';
            usage: {
                minutes: number;
                minutesMax: number;
                videos: number | null;
            };
        } | {
            state: 'refused';
            message: string;
        };
    };
};

export type GetVideoStatusResponse = GetVideoStatusResponses[keyof GetVideoStatusResponses];

export type ListModelConnectionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/models';
};

export type ListModelConnectionsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListModelConnectionsError = ListModelConnectionsErrors[keyof ListModelConnectionsErrors];

export type ListModelConnectionsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<ModelConnection>;
    };
};

export type ListModelConnectionsResponse = ListModelConnectionsResponses[keyof ListModelConnectionsResponses];

export type CreateModelConnectionData = {
    body: {
        provider: 'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'workers-ai' | 'scaffold';
        label: string;
        baseUrl?: string | null;
        key?: string | null;
        models?: Array<string>;
        defaultModel?: string;
        isDefault?: boolean;
        limits?: {
            steps?: number;
            tokens?: number;
            minutes?: number;
        } | null;
        modalities?: Array<'images' | 'pdfs'> | null;
    };
    path?: never;
    query?: never;
    url: '/api/v1/connections/models';
};

export type CreateModelConnectionErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateModelConnectionError = CreateModelConnectionErrors[keyof CreateModelConnectionErrors];

export type CreateModelConnectionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: ModelConnection;
    };
};

export type CreateModelConnectionResponse = CreateModelConnectionResponses[keyof CreateModelConnectionResponses];

export type LookForModelsData = {
    body?: {
        /**
         * Used for this answer only: neither stored, logged nor shown.
         */
        key?: string;
        baseUrl?: string;
        /**
         * Whose key it is, when its beginning does not say so; beside an address, the protocol spoken.
         */
        service?: 'anthropic' | 'openai' | 'google' | 'openrouter' | 'groq' | 'xai' | 'deepseek';
        /**
         * The one to try instead of the recommended one.
         */
        model?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/connections/models/look';
};

export type LookForModelsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `model_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type LookForModelsError = LookForModelsErrors[keyof LookForModelsErrors];

export type LookForModelsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: ModelFinding;
    };
};

export type LookForModelsResponse = LookForModelsResponses[keyof LookForModelsResponses];

export type ListLocalModelsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/models/local';
};

export type ListLocalModelsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListLocalModelsError = ListLocalModelsErrors[keyof ListLocalModelsErrors];

export type ListLocalModelsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: LocalModels;
    };
};

export type ListLocalModelsResponse = ListLocalModelsResponses[keyof ListLocalModelsResponses];

export type DeleteModelConnectionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/connections/models/{id}';
};

export type DeleteModelConnectionErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteModelConnectionError = DeleteModelConnectionErrors[keyof DeleteModelConnectionErrors];

export type DeleteModelConnectionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            deleted: true;
        };
    };
};

export type DeleteModelConnectionResponse = DeleteModelConnectionResponses[keyof DeleteModelConnectionResponses];

export type UpdateModelConnectionData = {
    body?: {
        label?: string;
        baseUrl?: string | null;
        key?: string | null;
        models?: Array<string>;
        defaultModel?: string;
        isDefault?: true;
        limits?: {
            steps?: number;
            tokens?: number;
            minutes?: number;
        } | null;
        modalities?: Array<'images' | 'pdfs'> | null;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/connections/models/{id}';
};

export type UpdateModelConnectionErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type UpdateModelConnectionError = UpdateModelConnectionErrors[keyof UpdateModelConnectionErrors];

export type UpdateModelConnectionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: ModelConnection;
    };
};

export type UpdateModelConnectionResponse = UpdateModelConnectionResponses[keyof UpdateModelConnectionResponses];

export type TestModelConnectionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/connections/models/{id}/test';
};

export type TestModelConnectionErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `model_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type TestModelConnectionError = TestModelConnectionErrors[keyof TestModelConnectionErrors];

export type TestModelConnectionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: ModelTest;
    };
};

export type TestModelConnectionResponse = TestModelConnectionResponses[keyof TestModelConnectionResponses];

export type GetTokenUseData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/models/limits';
};

export type GetTokenUseErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetTokenUseError = GetTokenUseErrors[keyof GetTokenUseErrors];

export type GetTokenUseResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: TokenUse;
    };
};

export type GetTokenUseResponse = GetTokenUseResponses[keyof GetTokenUseResponses];

export type SetTokenLimitsData = {
    body: {
        /**
         * By builds, plan turns and captures of all projects, in a month (UTC); null: any number.
         */
        monthly: number | null;
        /**
         * By all builds of one ticket; null: any number.
         */
        perTicket: number | null;
    };
    path?: never;
    query?: never;
    url: '/api/v1/connections/models/limits';
};

export type SetTokenLimitsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SetTokenLimitsError = SetTokenLimitsErrors[keyof SetTokenLimitsErrors];

export type SetTokenLimitsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: TokenUse;
    };
};

export type SetTokenLimitsResponse = SetTokenLimitsResponses[keyof SetTokenLimitsResponses];

export type ListCeilingsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/connections/cloudflare/ceilings';
};

export type ListCeilingsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListCeilingsError = ListCeilingsErrors[keyof ListCeilingsErrors];

export type ListCeilingsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<Ceiling>;
    };
};

export type ListCeilingsResponse = ListCeilingsResponses[keyof ListCeilingsResponses];

export type ListKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/keys';
};

export type ListKeysErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListKeysError = ListKeysErrors[keyof ListKeysErrors];

export type ListKeysResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<ApiKey>;
    };
};

export type ListKeysResponse = ListKeysResponses[keyof ListKeysResponses];

export type CreateKeyData = {
    body: {
        name: string;
        /**
         * Omitted: every scope except deploy:write.
         */
        scopes?: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
        /**
         * Omitted: the key does not expire.
         */
        expiresInDays?: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/keys';
};

export type CreateKeyErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateKeyError = CreateKeyErrors[keyof CreateKeyErrors];

export type CreateKeyResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            prefix: string;
            key: string;
            scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
        };
    };
};

export type CreateKeyResponse = CreateKeyResponses[keyof CreateKeyResponses];

export type RevokeKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/keys/{id}';
};

export type RevokeKeyErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RevokeKeyError = RevokeKeyErrors[keyof RevokeKeyErrors];

export type RevokeKeyResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
        };
    };
};

export type RevokeKeyResponse = RevokeKeyResponses[keyof RevokeKeyResponses];

export type ListWebhooksData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/webhooks';
};

export type ListWebhooksErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListWebhooksError = ListWebhooksErrors[keyof ListWebhooksErrors];

export type ListWebhooksResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<WebhookEndpoint>;
    };
};

export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];

export type CreateWebhookData = {
    body: {
        /**
         * An http or https address that is not private.
         */
        url: string;
        /**
         * Names of events, or ["*"] for all of them.
         */
        events: Array<'project.created' | 'ticket.created' | 'ticket.updated' | 'ticket.build.succeeded' | 'ticket.build.failed' | 'project.deployed' | 'project.rolled_back' | 'project.reverted' | 'project.renamed' | 'project.archived' | 'project.deleted' | '*'>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/webhooks';
};

export type CreateWebhookErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateWebhookError = CreateWebhookErrors[keyof CreateWebhookErrors];

export type CreateWebhookResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            secret: string;
        };
    };
};

export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];

export type DeleteWebhookData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhooks/{id}';
};

export type DeleteWebhookErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteWebhookError = DeleteWebhookErrors[keyof DeleteWebhookErrors];

export type DeleteWebhookResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
        };
    };
};

export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];

export type RequestDeviceCodeData = {
    body: {
        /**
         * What the device calls itself; the key is named after it.
         */
        name: string;
        /**
         * Omitted: every scope except deploy:write.
         */
        scopes?: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/device/code';
};

export type RequestDeviceCodeErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `forbidden`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RequestDeviceCodeError = RequestDeviceCodeErrors[keyof RequestDeviceCodeErrors];

export type RequestDeviceCodeResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            deviceCode: string;
            userCode: string;
            verificationUrl: string;
            verificationUrlComplete: string;
            expiresIn: number;
            interval: number;
        };
    };
};

export type RequestDeviceCodeResponse = RequestDeviceCodeResponses[keyof RequestDeviceCodeResponses];

export type PollDeviceTokenData = {
    body: {
        deviceCode: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/device/token';
};

export type PollDeviceTokenErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `forbidden`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type PollDeviceTokenError = PollDeviceTokenErrors[keyof PollDeviceTokenErrors];

export type PollDeviceTokenResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            status: 'pending';
            interval: number;
        } | {
            status: 'denied';
        } | {
            status: 'expired';
        } | {
            status: 'approved';
            id: string;
            name: string;
            prefix: string;
            key: string;
            scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
            expiresAt: string | null;
        };
    };
};

export type PollDeviceTokenResponse = PollDeviceTokenResponses[keyof PollDeviceTokenResponses];

export type GetDeviceGrantData = {
    body?: never;
    path?: never;
    query: {
        /**
         * As the device shows it; case, spaces and dashes do not matter.
         */
        code: string;
    };
    url: '/api/v1/device/grant';
};

export type GetDeviceGrantErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetDeviceGrantError = GetDeviceGrantErrors[keyof GetDeviceGrantErrors];

export type GetDeviceGrantResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            code: string;
            name: string;
            scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
            /**
             * Where the request came from.
             */
            address: string;
            expiresAt: string;
        };
    };
};

export type GetDeviceGrantResponse = GetDeviceGrantResponses[keyof GetDeviceGrantResponses];

export type ApproveDeviceData = {
    body: {
        /**
         * As the device shows it; case, spaces and dashes do not matter.
         */
        code: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/device/approve';
};

export type ApproveDeviceErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ApproveDeviceError = ApproveDeviceErrors[keyof ApproveDeviceErrors];

export type ApproveDeviceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            name: string;
            prefix: string;
            scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
            expiresAt: string;
        };
    };
};

export type ApproveDeviceResponse = ApproveDeviceResponses[keyof ApproveDeviceResponses];

export type DenyDeviceData = {
    body: {
        /**
         * As the device shows it; case, spaces and dashes do not matter.
         */
        code: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/device/deny';
};

export type DenyDeviceErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DenyDeviceError = DenyDeviceErrors[keyof DenyDeviceErrors];

export type DenyDeviceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            denied: true;
        };
    };
};

export type DenyDeviceResponse = DenyDeviceResponses[keyof DenyDeviceResponses];

export type ListIngestSourcesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/ingest';
};

export type ListIngestSourcesErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListIngestSourcesError = ListIngestSourcesErrors[keyof ListIngestSourcesErrors];

export type ListIngestSourcesResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<IngestSource>;
    };
};

export type ListIngestSourcesResponse = ListIngestSourcesResponses[keyof ListIngestSourcesResponses];

export type CreateIngestSourceData = {
    body: {
        projectId: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/ingest';
};

export type CreateIngestSourceErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CreateIngestSourceError = CreateIngestSourceErrors[keyof CreateIngestSourceErrors];

export type CreateIngestSourceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            secret: string;
            webhookUrl: string;
        };
    };
};

export type CreateIngestSourceResponse = CreateIngestSourceResponses[keyof CreateIngestSourceResponses];

export type DeleteIngestSourceData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/ingest/{id}';
};

export type DeleteIngestSourceErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type DeleteIngestSourceError = DeleteIngestSourceErrors[keyof DeleteIngestSourceErrors];

export type DeleteIngestSourceResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
        };
    };
};

export type DeleteIngestSourceResponse = DeleteIngestSourceResponses[keyof DeleteIngestSourceResponses];

export type GetInvitationData = {
    body?: never;
    path: {
        invitationId: string;
    };
    query?: never;
    url: '/api/v1/invitations/{invitationId}';
};

export type GetInvitationErrors = {
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetInvitationError = GetInvitationErrors[keyof GetInvitationErrors];

export type GetInvitationResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Invitation;
    };
};

export type GetInvitationResponse = GetInvitationResponses[keyof GetInvitationResponses];

export type ReadMemberBelongingsData = {
    body?: never;
    path: {
        memberId: string;
    };
    query?: never;
    url: '/api/v1/members/{memberId}/belongings';
};

export type ReadMemberBelongingsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadMemberBelongingsError = ReadMemberBelongingsErrors[keyof ReadMemberBelongingsErrors];

export type ReadMemberBelongingsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            apiKeys: Array<{
                id: string;
                name: string;
                /**
                 * The first characters, to recognise a key by; the rest is not stored.
                 */
                prefix: string;
                scopes: Array<'projects:read' | 'projects:write' | 'tickets:write' | 'build:write' | 'deploy:write'>;
                source: 'console' | 'device';
                createdAt: string;
                lastUsedAt: string | null;
                expiresAt: string | null;
            }>;
            webhooks: Array<{
                id: string;
                url: string;
            }>;
            ingestSources: Array<{
                id: string;
                projectId: string;
                projectName: string;
            }>;
        };
    };
};

export type ReadMemberBelongingsResponse = ReadMemberBelongingsResponses[keyof ReadMemberBelongingsResponses];

export type SettleMemberBelongingsData = {
    body: {
        apiKeys: 'remove' | 'hand_over';
        webhooks: 'remove' | 'hand_over';
        ingestSources: 'remove' | 'hand_over';
    };
    path: {
        memberId: string;
    };
    query?: never;
    url: '/api/v1/members/{memberId}/belongings';
};

export type SettleMemberBelongingsErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SettleMemberBelongingsError = SettleMemberBelongingsErrors[keyof SettleMemberBelongingsErrors];

export type SettleMemberBelongingsResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            apiKeys: number;
            webhooks: number;
            ingestSources: number;
        };
    };
};

export type SettleMemberBelongingsResponse = SettleMemberBelongingsResponses[keyof SettleMemberBelongingsResponses];

export type ReadSecurityPolicyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/security';
};

export type ReadSecurityPolicyErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadSecurityPolicyError = ReadSecurityPolicyErrors[keyof ReadSecurityPolicyErrors];

export type ReadSecurityPolicyResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: SecurityPolicy;
    };
};

export type ReadSecurityPolicyResponse = ReadSecurityPolicyResponses[keyof ReadSecurityPolicyResponses];

export type UpdateSecurityPolicyData = {
    body: {
        /**
         * People must sign in through the organization, not with a password.
         */
        requireSso: boolean;
        /**
         * People must have two-factor authentication set up.
         */
        requireTwoFactor: boolean;
        /**
         * Sessions end at this age; null: after 30 days.
         */
        sessionLifetimeDays: 1 | 7 | 30 | null;
        /**
         * Addresses and CIDR ranges that people and keys may call from; empty: anywhere.
         */
        allowedIps: Array<string>;
        /**
         * Builds may add any npm package that passes the limits, not only the curated ones.
         */
        anyPackages?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/security';
};

export type UpdateSecurityPolicyErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `payment_required`
     */
    402: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type UpdateSecurityPolicyError = UpdateSecurityPolicyErrors[keyof UpdateSecurityPolicyErrors];

export type UpdateSecurityPolicyResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: SecurityPolicy;
    };
};

export type UpdateSecurityPolicyResponse = UpdateSecurityPolicyResponses[keyof UpdateSecurityPolicyResponses];

export type RemoveSsoProviderData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/sso';
};

export type RemoveSsoProviderErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type RemoveSsoProviderError = RemoveSsoProviderErrors[keyof RemoveSsoProviderErrors];

export type RemoveSsoProviderResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            removed: boolean;
        };
    };
};

export type RemoveSsoProviderResponse = RemoveSsoProviderResponses[keyof RemoveSsoProviderResponses];

export type ReadSsoProviderData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/sso';
};

export type ReadSsoProviderErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadSsoProviderError = ReadSsoProviderErrors[keyof ReadSsoProviderErrors];

export type ReadSsoProviderResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: SsoProvider | null;
    };
};

export type ReadSsoProviderResponse = ReadSsoProviderResponses[keyof ReadSsoProviderResponses];

export type SaveSsoProviderData = {
    body: {
        /**
         * The OpenID Connect issuer, or the entity id of a SAML provider.
         */
        issuer: string;
        /**
         * The e-mail domains it signs in, separated by commas; at most 10.
         */
        domain: string;
        /**
         * An OpenID Connect provider. Its endpoints come from its discovery document.
         */
        oidcConfig?: {
            clientId: string;
            /**
             * Stored encrypted and never returned.
             */
            clientSecret: string;
            /**
             * The claims that hold the address and the name. Omitted: email and name.
             */
            mapping?: {
                email?: string;
                name?: string;
            };
        };
        /**
         * A SAML 2.0 provider; `issuer` is its entity id.
         */
        samlConfig?: {
            /**
             * The provider's sign-on address (HTTP-Redirect).
             */
            entryPoint: string;
            /**
             * The signing certificate as PEM, or several while they rotate.
             */
            cert: string | Array<string>;
            /**
             * The attributes that hold the address and the name. Omitted: email, else the NameID; displayName.
             */
            mapping?: {
                email?: string;
                name?: string;
            };
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/sso';
};

export type SaveSsoProviderErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `payment_required`
     */
    402: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type SaveSsoProviderError = SaveSsoProviderErrors[keyof SaveSsoProviderErrors];

export type SaveSsoProviderResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: SsoProvider;
    };
};

export type SaveSsoProviderResponse = SaveSsoProviderResponses[keyof SaveSsoProviderResponses];

export type VerifySsoDomainData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/sso/verify-domain';
};

export type VerifySsoDomainErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type VerifySsoDomainError = VerifySsoDomainErrors[keyof VerifySsoDomainErrors];

export type VerifySsoDomainResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            domainVerified: boolean;
        };
    };
};

export type VerifySsoDomainResponse = VerifySsoDomainResponses[keyof VerifySsoDomainResponses];

export type ListActivityData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only this project. The log outlives projects, so any id may be asked for.
         */
        projectId?: string;
        /**
         * Not before this time, in milliseconds since 1970, inclusive.
         */
        from?: number;
        /**
         * Not after this time, in milliseconds since 1970, inclusive.
         */
        to?: number;
        limit?: number;
        /**
         * The nextCursor of the page before, unchanged.
         */
        cursor?: string;
    };
    url: '/api/v1/activity';
};

export type ListActivityErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListActivityError = ListActivityErrors[keyof ListActivityErrors];

export type ListActivityResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            items: Array<ActivityRecord>;
            nextCursor: string | null;
        };
    };
};

export type ListActivityResponse = ListActivityResponses[keyof ListActivityResponses];

export type ExportActivityData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only this project. The log outlives projects, so any id may be asked for.
         */
        projectId?: string;
        /**
         * Not before this time, in milliseconds since 1970, inclusive.
         */
        from?: number;
        /**
         * Not after this time, in milliseconds since 1970, inclusive.
         */
        to?: number;
    };
    url: '/api/v1/activity/export';
};

export type ExportActivityErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `forbidden_scope`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ExportActivityError = ExportActivityErrors[keyof ExportActivityErrors];

export type ExportActivityResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type ExportActivityResponse = ExportActivityResponses[keyof ExportActivityResponses];

export type GetBillingData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/billing';
};

export type GetBillingErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetBillingError = GetBillingErrors[keyof GetBillingErrors];

export type GetBillingResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Billing;
    };
};

export type GetBillingResponse = GetBillingResponses[keyof GetBillingResponses];

export type StartCheckoutData = {
    body: {
        plan: 'starter' | 'pro';
    };
    path?: never;
    query?: never;
    url: '/api/v1/billing/checkout';
};

export type StartCheckoutErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StartCheckoutError = StartCheckoutErrors[keyof StartCheckoutErrors];

export type StartCheckoutResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            /**
             * Send the browser there.
             */
            url: string;
        };
    };
};

export type StartCheckoutResponse = StartCheckoutResponses[keyof StartCheckoutResponses];

export type OpenPortalData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/billing/portal';
};

export type OpenPortalErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_enabled`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `upstream_error`
     */
    502: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type OpenPortalError = OpenPortalErrors[keyof OpenPortalErrors];

export type OpenPortalResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            /**
             * Send the browser there.
             */
            url: string;
        };
    };
};

export type OpenPortalResponse = OpenPortalResponses[keyof OpenPortalResponses];

export type ReceiveBillingEventData = {
    body?: never;
    headers: {
        /**
         * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the whole secret.
         */
        'Stripe-Signature': string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/billing/webhook';
};

export type ReceiveBillingEventErrors = {
    /**
     * `unauthorized`
     */
    401: unknown;
    /**
     * `not_enabled`
     */
    404: unknown;
    /**
     * The body is larger than 1 MiB.
     */
    413: unknown;
    /**
     * `rate_limited`
     */
    429: unknown;
    /**
     * `server_error`
     */
    500: unknown;
    /**
     * `unavailable`
     */
    503: unknown;
};

export type ReceiveBillingEventResponses = {
    /**
     * Stored; the plan follows.
     */
    200: unknown;
    /**
     * About no organization of this installation: ignored.
     */
    204: void;
};

export type ReceiveBillingEventResponse = ReceiveBillingEventResponses[keyof ReceiveBillingEventResponses];

export type ExportAccountData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/account/export';
};

export type ExportAccountErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ExportAccountError = ExportAccountErrors[keyof ExportAccountErrors];

export type ExportAccountResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type ExportAccountResponse = ExportAccountResponses[keyof ExportAccountResponses];

export type ReadAccountDeletionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/account/deletion';
};

export type ReadAccountDeletionErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadAccountDeletionError = ReadAccountDeletionErrors[keyof ReadAccountDeletionErrors];

export type ReadAccountDeletionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: AccountDeletion;
    };
};

export type ReadAccountDeletionResponse = ReadAccountDeletionResponses[keyof ReadAccountDeletionResponses];

export type StepAccountDeletionData = {
    body: {
        /**
         * The e-mail address of the account.
         */
        confirm: string;
        /**
         * Finish although the cloud provider refuses: what it keeps is named in `left`.
         */
        leaveStuck?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/account/deletion/step';
};

export type StepAccountDeletionErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type StepAccountDeletionError = StepAccountDeletionErrors[keyof StepAccountDeletionErrors];

export type StepAccountDeletionResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: AccountDeletion;
    };
};

export type StepAccountDeletionResponse = StepAccountDeletionResponses[keyof StepAccountDeletionResponses];

export type ListHelpData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/help';
};

export type ListHelpErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListHelpError = ListHelpErrors[keyof ListHelpErrors];

export type ListHelpResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Array<HelpThread>;
    };
};

export type ListHelpResponse = ListHelpResponses[keyof ListHelpResponses];

export type OpenHelpData = {
    body: {
        body: string;
        /**
         * Ids of POST /help/attachments.
         */
        attachments?: Array<string>;
        subject: string;
        projectId?: string;
        /**
         * What the console says about itself: route, ticket, build, viewport, time zone, locale and the last five failed calls. Kept for the operator; plan and project are never taken from it.
         */
        console?: {
            [key: string]: unknown;
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/help';
};

export type OpenHelpErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type OpenHelpError = OpenHelpErrors[keyof OpenHelpErrors];

export type OpenHelpResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: HelpConversation;
    };
};

export type OpenHelpResponse = OpenHelpResponses[keyof OpenHelpResponses];

export type UploadHelpAttachmentData = {
    body: Blob | File;
    path?: never;
    query?: {
        name?: string;
    };
    url: '/api/v1/help/attachments';
};

export type UploadHelpAttachmentErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type UploadHelpAttachmentError = UploadHelpAttachmentErrors[keyof UploadHelpAttachmentErrors];

export type UploadHelpAttachmentResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            id: string;
            name: string;
            contentType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
            size: number;
        };
    };
};

export type UploadHelpAttachmentResponse = UploadHelpAttachmentResponses[keyof UploadHelpAttachmentResponses];

export type ReadHelpAttachmentData = {
    body?: never;
    path: {
        attachmentId: string;
    };
    query?: never;
    url: '/api/v1/help/attachments/{attachmentId}';
};

export type ReadHelpAttachmentErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadHelpAttachmentError = ReadHelpAttachmentErrors[keyof ReadHelpAttachmentErrors];

export type ReadHelpAttachmentResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type ReadHelpAttachmentResponse = ReadHelpAttachmentResponses[keyof ReadHelpAttachmentResponses];

export type ReadHelpData = {
    body?: never;
    path: {
        threadId: string;
    };
    query?: never;
    url: '/api/v1/help/{threadId}';
};

export type ReadHelpErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadHelpError = ReadHelpErrors[keyof ReadHelpErrors];

export type ReadHelpResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: HelpConversation;
    };
};

export type ReadHelpResponse = ReadHelpResponses[keyof ReadHelpResponses];

export type ReplyToHelpData = {
    body: {
        body: string;
        /**
         * Ids of POST /help/attachments.
         */
        attachments?: Array<string>;
    };
    path: {
        threadId: string;
    };
    query?: never;
    url: '/api/v1/help/{threadId}/messages';
};

export type ReplyToHelpErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReplyToHelpError = ReplyToHelpErrors[keyof ReplyToHelpErrors];

export type ReplyToHelpResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: HelpConversation;
    };
};

export type ReplyToHelpResponse = ReplyToHelpResponses[keyof ReplyToHelpResponses];

export type ListDeskData = {
    body?: never;
    path?: never;
    query?: {
        state?: 'open' | 'answered' | 'closed';
    };
    url: '/api/v1/desk';
};

export type ListDeskErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ListDeskError = ListDeskErrors[keyof ListDeskErrors];

export type ListDeskResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        /**
         * Null when the organization does not answer the questions of this service.
         */
        data: Array<DeskThread> | null;
    };
};

export type ListDeskResponse = ListDeskResponses[keyof ListDeskResponses];

export type ReadDeskData = {
    body?: never;
    path: {
        threadId: string;
    };
    query?: never;
    url: '/api/v1/desk/{threadId}';
};

export type ReadDeskErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadDeskError = ReadDeskErrors[keyof ReadDeskErrors];

export type ReadDeskResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DeskConversation;
    };
};

export type ReadDeskResponse = ReadDeskResponses[keyof ReadDeskResponses];

export type AnswerFromDeskData = {
    body: {
        body: string;
        /**
         * Ids of POST /help/attachments.
         */
        attachments?: Array<string>;
    };
    path: {
        threadId: string;
    };
    query?: never;
    url: '/api/v1/desk/{threadId}/messages';
};

export type AnswerFromDeskErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type AnswerFromDeskError = AnswerFromDeskErrors[keyof AnswerFromDeskErrors];

export type AnswerFromDeskResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DeskConversation;
    };
};

export type AnswerFromDeskResponse = AnswerFromDeskResponses[keyof AnswerFromDeskResponses];

export type CloseFromDeskData = {
    body?: never;
    path: {
        threadId: string;
    };
    query?: never;
    url: '/api/v1/desk/{threadId}/close';
};

export type CloseFromDeskErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `conflict`
     */
    409: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type CloseFromDeskError = CloseFromDeskErrors[keyof CloseFromDeskErrors];

export type CloseFromDeskResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: DeskConversation;
    };
};

export type CloseFromDeskResponse = CloseFromDeskResponses[keyof CloseFromDeskResponses];

export type ReadDeskAttachmentData = {
    body?: never;
    path: {
        attachmentId: string;
    };
    query?: never;
    url: '/api/v1/desk/attachments/{attachmentId}';
};

export type ReadDeskAttachmentErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type ReadDeskAttachmentError = ReadDeskAttachmentErrors[keyof ReadDeskAttachmentErrors];

export type ReadDeskAttachmentResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type ReadDeskAttachmentResponse = ReadDeskAttachmentResponses[keyof ReadDeskAttachmentResponses];

export type GetMeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/me';
};

export type GetMeErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `forbidden`, `two_factor_required`, `ip_not_allowed`
     */
    403: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetMeError = GetMeErrors[keyof GetMeErrors];

export type GetMeResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: Me;
    };
};

export type GetMeResponse = GetMeResponses[keyof GetMeResponses];

export type PostIdeaData = {
    body?: Idea;
    headers: {
        /**
         * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the whole secret.
         */
        'Service-Signature': string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/i/{id}';
};

export type PostIdeaErrors = {
    /**
     * `unauthorized`
     */
    401: unknown;
    /**
     * `not_found`
     */
    404: unknown;
    /**
     * The body is larger than 256 KiB.
     */
    413: unknown;
    /**
     * `rate_limited`
     */
    429: unknown;
    /**
     * `server_error`
     */
    500: unknown;
    /**
     * `unavailable`
     */
    503: unknown;
};

export type PostIdeaResponses = {
    /**
     * Stored; the ticket appears afterwards.
     */
    202: unknown;
    /**
     * Rightly signed, but neither title nor text: ignored.
     */
    204: void;
};

export type PostIdeaResponse = PostIdeaResponses[keyof PostIdeaResponses];

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health';
};

export type GetHealthErrors = {
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetHealthError = GetHealthErrors[keyof GetHealthErrors];

export type GetHealthResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            status: string;
            service: string;
        };
    };
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/livez';
};

export type GetLivenessErrors = {
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetLivenessError = GetLivenessErrors[keyof GetLivenessErrors];

export type GetLivenessResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            status: string;
        };
    };
};

export type GetLivenessResponse = GetLivenessResponses[keyof GetLivenessResponses];

export type GetServiceReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/readyz';
};

export type GetServiceReadinessErrors = {
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetServiceReadinessError = GetServiceReadinessErrors[keyof GetServiceReadinessErrors];

export type GetServiceReadinessResponses = {
    /**
     * The response.
     */
    200: {
        ok: true;
        data: {
            status: string;
        };
    };
};

export type GetServiceReadinessResponse = GetServiceReadinessResponses[keyof GetServiceReadinessResponses];

export type GetServiceMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type GetServiceMetricsErrors = {
    /**
     * `unauthorized`
     */
    401: Failure;
    /**
     * `not_found`
     */
    404: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetServiceMetricsError = GetServiceMetricsErrors[keyof GetServiceMetricsErrors];

export type GetServiceMetricsResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type GetServiceMetricsResponse = GetServiceMetricsResponses[keyof GetServiceMetricsResponses];

export type GetOpenApiData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/openapi.json';
};

export type GetOpenApiErrors = {
    /**
     * `invalid_request`
     */
    400: Failure;
    /**
     * `rate_limited`
     */
    429: Failure;
    /**
     * `server_error`
     */
    500: Failure;
    /**
     * `unavailable`
     */
    503: Failure;
};

export type GetOpenApiError = GetOpenApiErrors[keyof GetOpenApiErrors];

export type GetOpenApiResponses = {
    /**
     * The bytes.
     */
    200: string;
};

export type GetOpenApiResponse = GetOpenApiResponses[keyof GetOpenApiResponses];
