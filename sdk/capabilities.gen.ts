// Made by `npm run generate` from server/capabilities. Do not edit.

export interface CapabilityInfo {
  title: string
  /** What it costs in the connected account, to be shown before it is switched on. */
  cost: string
  /** False: known, but not to be switched on in this version. */
  isBuilt: boolean
  /** What is switched on with it, under default settings. */
  needs: readonly string[]
  /** JSON Schema of `settings`: each property carries a title, a description and mostly a default. */
  settings: { readonly properties?: Readonly<Record<string, unknown>>; readonly [keyword: string]: unknown }
  /** Values that are given and never read back; with other settings there may be more of them. */
  secrets: readonly { name: string; title: string; description: string }[]
}

export const CAPABILITIES = {
  "auth": {
    "title": "Accounts and sign-in",
    "cost": "Durable Object requests and storage; password hashing needs a paid Workers plan",
    "isBuilt": true,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "methods": {
          "title": "Ways to sign in",
          "description": "A password. Codes by email, passkeys and other providers are not available yet.",
          "default": {},
          "type": "object",
          "properties": {
            "password": {
              "default": true,
              "type": "boolean"
            },
            "emailCode": {
              "default": false,
              "type": "boolean"
            },
            "passkey": {
              "default": false,
              "type": "boolean"
            },
            "oauth": {
              "default": [],
              "maxItems": 8,
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {
                    "type": "string",
                    "pattern": "^[a-z][a-z0-9]{1,30}$"
                  },
                  "clientId": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200
                  },
                  "authorizeUrl": {
                    "type": "string",
                    "format": "uri"
                  },
                  "tokenUrl": {
                    "type": "string",
                    "format": "uri"
                  },
                  "userInfoUrl": {
                    "type": "string",
                    "format": "uri"
                  },
                  "scopes": {
                    "maxItems": 20,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "minLength": 1,
                      "maxLength": 100
                    }
                  }
                },
                "required": [
                  "id",
                  "clientId"
                ]
              }
            }
          }
        },
        "sessionDays": {
          "default": 30,
          "title": "Days a session lasts",
          "description": "Counted from the last visit.",
          "type": "integer",
          "minimum": 1,
          "maximum": 365
        },
        "openSignup": {
          "default": true,
          "title": "Anyone may sign up",
          "description": "Off: only people who were invited get an account.",
          "type": "boolean"
        },
        "passwordMin": {
          "default": 10,
          "title": "Shortest password",
          "description": "In characters.",
          "type": "integer",
          "minimum": 8,
          "maximum": 64
        },
        "redirectUris": {
          "default": [],
          "title": "Addresses to return to",
          "description": "Where a sign-in may send people beside the app itself.",
          "maxItems": 20,
          "type": "array",
          "items": {
            "type": "string",
            "format": "uri"
          }
        }
      }
    },
    "secrets": []
  },
  "team": {
    "title": "Teams",
    "cost": "Durable Object requests and storage, one object a team",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "maxMembers": {
          "default": 100,
          "title": "Members of a team at most",
          "description": "Open invitations count as well.",
          "type": "integer",
          "minimum": 1,
          "maximum": 1000
        },
        "inviteDays": {
          "default": 7,
          "title": "Days an invitation is open",
          "description": "After that it must be sent again.",
          "type": "integer",
          "minimum": 1,
          "maximum": 30
        },
        "maxTeamsPerUser": {
          "default": 10,
          "title": "Teams of one person at most",
          "description": "Teams joined and teams made together.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        }
      }
    },
    "secrets": []
  },
  "data": {
    "title": "Data and live updates",
    "cost": "Durable Object requests, duration and storage",
    "isBuilt": true,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "logDays": {
          "default": 7,
          "title": "Offline catch-up, days",
          "description": "How long a page that was offline can catch up instead of loading everything again.",
          "type": "integer",
          "minimum": 1,
          "maximum": 30
        },
        "maxRecordKb": {
          "default": 128,
          "title": "Largest record, kB",
          "description": "A bigger record is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 128
        }
      }
    },
    "secrets": []
  },
  "files": {
    "title": "File uploads",
    "cost": "R2 storage and operations",
    "isBuilt": true,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "maxBytes": {
          "default": 26214400,
          "title": "Largest file in bytes",
          "description": "A bigger one is refused before it is sent.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 5368709120
        },
        "types": {
          "default": [
            "*/*"
          ],
          "title": "Types that are taken",
          "description": "Media types; */* takes every one.",
          "minItems": 1,
          "maxItems": 50,
          "type": "array",
          "items": {
            "type": "string",
            "pattern": "^(\\*|[a-z]+)\\/(\\*|[\\w.+-]+)$"
          }
        },
        "perUserBytes": {
          "default": 1073741824,
          "title": "Bytes of one person",
          "description": "What one person may keep in all.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 9007199254740991
        }
      }
    },
    "secrets": []
  },
  "assets": {
    "title": "Assets",
    "cost": "R2 storage and operations",
    "isBuilt": true,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "defaultAccess": {
          "default": {
            "kind": "public"
          },
          "title": "Who may see a new asset",
          "description": "Everyone, signed-in people, or those who bought a product.",
          "$ref": "#/$defs/AssetAccess"
        },
        "cacheSeconds": {
          "default": 3600,
          "title": "Seconds a browser keeps it",
          "description": "For assets that everyone may see; others are never kept.",
          "type": "integer",
          "minimum": 0,
          "maximum": 31536000
        }
      },
      "$defs": {
        "AssetAccess": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "const": "public"
                }
              },
              "required": [
                "kind"
              ]
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "const": "members"
                }
              },
              "required": [
                "kind"
              ]
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "const": "product"
                },
                "productId": {
                  "type": "string",
                  "pattern": "^[\\w-]{1,100}$"
                }
              },
              "required": [
                "kind",
                "productId"
              ]
            }
          ]
        }
      }
    },
    "secrets": []
  },
  "email": {
    "title": "Email",
    "cost": "Email Sending of the account, Durable Object requests",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "replyTo": {
          "default": null,
          "title": "Answers go to",
          "description": "Named in every mail as the address to answer to.",
          "anyOf": [
            {
              "type": "string",
              "format": "email",
              "pattern": "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
            },
            {
              "type": "null"
            }
          ]
        },
        "notifyTo": {
          "default": null,
          "title": "Notices go to",
          "description": "Told of new mail in a mailbox that asks for it. Empty: the address for answers.",
          "anyOf": [
            {
              "type": "string",
              "format": "email",
              "pattern": "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
            },
            {
              "type": "null"
            }
          ]
        },
        "maxPerHour": {
          "default": 200,
          "title": "Mails an hour at most",
          "description": "Over all recipients.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10000
        },
        "perRecipientPerDay": {
          "default": 20,
          "title": "Mails a recipient a day at most",
          "description": "What is above is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        }
      }
    },
    "secrets": []
  },
  "ai": {
    "title": "AI",
    "cost": "Workers AI by use, through an AI gateway",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "model": {
          "default": null,
          "title": "Model",
          "description": "A model of the connected account. Empty: the first of our list that it has.",
          "anyOf": [
            {
              "type": "string",
              "minLength": 1,
              "maxLength": 200
            },
            {
              "type": "null"
            }
          ]
        },
        "monthlyRuns": {
          "default": 1000,
          "title": "Runs a month",
          "description": "The app is refused past it, until the first of the next month (UTC).",
          "type": "integer",
          "minimum": 1,
          "maximum": 1000000
        },
        "maxTokens": {
          "default": 1024,
          "title": "Tokens of an answer at most",
          "description": "A longer answer is cut.",
          "type": "integer",
          "minimum": 16,
          "maximum": 8192
        }
      }
    },
    "secrets": [
      {
        "name": "providerKey",
        "title": "Key of a model provider",
        "description": "Only for models that the account does not run itself."
      }
    ]
  },
  "pay": {
    "title": "Payments",
    "cost": "Stripe's fees per payment",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "currency": {
          "default": "usd",
          "title": "Currency",
          "description": "Of new products, where none is named.",
          "type": "string",
          "pattern": "^[a-z]{3}$"
        },
        "successPath": {
          "default": "/",
          "title": "Page after a payment",
          "description": "A path of the app.",
          "type": "string",
          "maxLength": 200,
          "pattern": "^\\/(?!\\/)"
        },
        "cancelPath": {
          "default": "/",
          "title": "Page after a payment was broken off",
          "description": "A path of the app.",
          "type": "string",
          "maxLength": 200,
          "pattern": "^\\/(?!\\/)"
        },
        "portal": {
          "default": true,
          "title": "People manage their subscription",
          "description": "On Stripe's own pages.",
          "type": "boolean"
        },
        "trialDays": {
          "default": 0,
          "title": "Days of trial",
          "description": "Of new subscriptions.",
          "type": "integer",
          "minimum": 0,
          "maximum": 90
        }
      }
    },
    "secrets": [
      {
        "name": "stripeKey",
        "title": "Stripe key",
        "description": "For the live app."
      },
      {
        "name": "stripeTestKey",
        "title": "Stripe test key",
        "description": "For the preview."
      }
    ]
  },
  "live": {
    "title": "Live rooms",
    "cost": "Durable Object requests and duration",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "maxPeers": {
          "default": 50,
          "title": "People in a room at most",
          "description": "Who comes later is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 500
        },
        "historyLimit": {
          "default": 100,
          "title": "Messages kept in a room",
          "description": "For people who come later.",
          "type": "integer",
          "minimum": 0,
          "maximum": 1000
        },
        "allowAnonymous": {
          "default": false,
          "title": "Without signing in",
          "description": "Off: a public room is open to everyone who is signed in.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "call": {
    "title": "Calls",
    "cost": "Realtime traffic of the account; small calls run between the browsers",
    "isBuilt": false,
    "needs": [
      "live"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "mode": {
          "default": "auto",
          "title": "How calls are carried",
          "description": "mesh: between the browsers; sfu: through the account; auto: by the number of people.",
          "type": "string",
          "enum": [
            "auto",
            "mesh",
            "sfu"
          ]
        },
        "meshMax": {
          "default": 4,
          "title": "People between the browsers at most",
          "description": "With more, a call moves to the account.",
          "type": "integer",
          "minimum": 2,
          "maximum": 6
        },
        "maxPeers": {
          "default": 8,
          "title": "People in a call at most",
          "description": "Who comes later is refused.",
          "type": "integer",
          "minimum": 2,
          "maximum": 50
        },
        "audioOnly": {
          "default": false,
          "title": "Sound only",
          "description": "No pictures are sent.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "schedule": {
    "title": "Schedules",
    "cost": "Durable Object requests and duration",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "timezone": {
          "default": "UTC",
          "title": "Time zone",
          "description": "Of schedules that name none.",
          "type": "string"
        },
        "isPaused": {
          "default": false,
          "title": "Paused",
          "description": "Nothing runs until it is switched back.",
          "type": "boolean"
        },
        "maxAttempts": {
          "default": 5,
          "title": "Attempts",
          "description": "Of a run that fails, where the schedule does not say.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10
        },
        "runInPreview": {
          "default": false,
          "title": "Also in the preview",
          "description": "Off: in the preview nothing runs by itself.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "queue": {
    "title": "Background queue",
    "cost": "Queues operations",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "maxRetries": {
          "default": 3,
          "title": "Repeats",
          "description": "Of work that fails, where the queue does not say.",
          "type": "integer",
          "minimum": 0,
          "maximum": 10
        },
        "batchSize": {
          "default": 10,
          "title": "Messages taken at once",
          "description": "At most.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "maxWaitSeconds": {
          "default": 2,
          "title": "Seconds to wait for a full batch",
          "description": "Then what is there is taken.",
          "type": "integer",
          "minimum": 0,
          "maximum": 60
        },
        "retryDelaySeconds": {
          "default": 30,
          "title": "Seconds before a repeat",
          "description": "After work that failed.",
          "type": "integer",
          "minimum": 0,
          "maximum": 43200
        },
        "concurrency": {
          "default": null,
          "title": "Batches at the same time",
          "description": "Empty: as many as the account allows.",
          "anyOf": [
            {
              "type": "integer",
              "minimum": 1,
              "maximum": 250
            },
            {
              "type": "null"
            }
          ]
        }
      }
    },
    "secrets": []
  },
  "flow": {
    "title": "Durable flows",
    "cost": "Workflows requests, CPU and storage",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "retentionDays": {
          "default": 7,
          "title": "Days a finished flow is kept",
          "description": "A free account keeps 3 at most.",
          "type": "integer",
          "minimum": 1,
          "maximum": 30
        },
        "concurrency": {
          "default": null,
          "title": "Flows at the same time",
          "description": "Empty: as many as the account allows.",
          "anyOf": [
            {
              "type": "integer",
              "minimum": 1,
              "maximum": 1000
            },
            {
              "type": "null"
            }
          ]
        },
        "maxSteps": {
          "default": 256,
          "title": "Steps of a flow at most",
          "description": "One more ends it.",
          "type": "integer",
          "minimum": 1,
          "maximum": 1024
        }
      }
    },
    "secrets": []
  },
  "connect": {
    "title": "Connected accounts",
    "cost": "Durable Object requests and storage",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "providers": {
          "default": [],
          "title": "Providers",
          "description": "Addresses are known for google, github, microsoft, slack, notion, linear, hubspot, dropbox, discord and spotify.",
          "maxItems": 20,
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "pattern": "^[a-z][a-z0-9]{1,30}$"
              },
              "kind": {
                "default": "oauth",
                "type": "string",
                "enum": [
                  "oauth",
                  "apiKey"
                ]
              },
              "clientId": {
                "type": "string",
                "minLength": 1,
                "maxLength": 200
              },
              "authorizeUrl": {
                "type": "string",
                "format": "uri"
              },
              "tokenUrl": {
                "type": "string",
                "format": "uri"
              },
              "apiBase": {
                "type": "string",
                "format": "uri"
              }
            },
            "required": [
              "id"
            ]
          }
        }
      }
    },
    "secrets": []
  },
  "hook": {
    "title": "Incoming webhooks",
    "cost": "Durable Object requests and storage",
    "isBuilt": false,
    "needs": [
      "data"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "endpoints": {
          "default": {},
          "title": "Endpoints",
          "description": "How each is signed, where the app does not say, and those that are only collected.",
          "type": "object",
          "propertyNames": {
            "type": "string",
            "pattern": "^[a-z][A-Za-z0-9-]{0,59}$"
          },
          "additionalProperties": {
            "type": "object",
            "properties": {
              "scheme": {
                "type": "string",
                "enum": [
                  "standard",
                  "stripe",
                  "github",
                  "slack",
                  "shopify",
                  "slipway",
                  "token",
                  "hmac"
                ]
              },
              "header": {
                "type": "string",
                "pattern": "^[\\w-]{1,100}$"
              },
              "encoding": {
                "type": "string",
                "enum": [
                  "hex",
                  "base64"
                ]
              },
              "prefix": {
                "type": "string",
                "maxLength": 50
              },
              "signed": {
                "type": "string",
                "maxLength": 200
              },
              "collection": {
                "type": "string",
                "maxLength": 40
              }
            }
          }
        },
        "keepDays": {
          "default": 30,
          "title": "Days a message is kept",
          "description": "After that its record is removed.",
          "type": "integer",
          "minimum": 1,
          "maximum": 365
        }
      }
    },
    "secrets": []
  },
  "render": {
    "title": "Page rendering",
    "cost": "Browser Run time",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "monthly": {
          "default": 500,
          "title": "Pages a month",
          "description": "The app is refused past it, until the first of the next month (UTC).",
          "type": "integer",
          "minimum": 1,
          "maximum": 100000
        },
        "timeoutMs": {
          "default": 15000,
          "title": "Milliseconds a page may take",
          "description": "Then it is given up.",
          "type": "integer",
          "minimum": 1000,
          "maximum": 60000
        },
        "allowedHosts": {
          "default": [],
          "title": "Hosts",
          "description": "Whose pages may be opened. The own ones always may.",
          "maxItems": 50,
          "type": "array",
          "items": {
            "type": "string",
            "pattern": "^[a-z0-9.-]{1,253}$"
          }
        },
        "maxBytes": {
          "default": 10485760,
          "title": "Largest result in bytes",
          "description": "A bigger one is refused.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 104857600
        }
      }
    },
    "secrets": []
  },
  "video": {
    "title": "Video",
    "cost": "Stream minutes stored and watched",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "monthly": {
          "default": 100,
          "title": "Minutes a month",
          "description": "Of new videos. The app is refused past it, until the first of the next month (UTC).",
          "type": "integer",
          "minimum": 1,
          "maximum": 100000
        },
        "maxSeconds": {
          "default": 600,
          "title": "Longest video in seconds",
          "description": "A longer one is refused.",
          "type": "integer",
          "minimum": 1,
          "maximum": 21600
        },
        "signed": {
          "default": true,
          "title": "Only with a link of the app",
          "description": "Off: whoever knows the address of a video may watch it.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "push": {
    "title": "Push notifications",
    "cost": "Durable Object requests and storage",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "subject": {
          "default": null,
          "title": "Contact",
          "description": "What push services are told about the sender. Empty: the address of the app.",
          "anyOf": [
            {
              "type": "string",
              "maxLength": 200,
              "pattern": "^(mailto:[^@\\s]+@[^@\\s]+|https:\\/\\/\\S+)$"
            },
            {
              "type": "null"
            }
          ]
        },
        "icon": {
          "default": null,
          "title": "Picture",
          "description": "A path of the app, shown beside a notification.",
          "anyOf": [
            {
              "type": "string",
              "maxLength": 200,
              "pattern": "^\\/"
            },
            {
              "type": "null"
            }
          ]
        }
      }
    },
    "secrets": []
  },
  "events": {
    "title": "Product analytics",
    "cost": "Analytics Engine points written and read",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "sampleRate": {
          "default": 1,
          "title": "Part that is kept",
          "description": "1 keeps every event, 0.1 one in ten; counts are scaled up again.",
          "type": "number",
          "minimum": 0.01,
          "maximum": 1
        },
        "autoPageviews": {
          "default": true,
          "title": "Count page views",
          "description": "Without code in the app.",
          "type": "boolean"
        }
      }
    },
    "secrets": []
  },
  "guard": {
    "title": "Bot protection",
    "cost": "Turnstile is free of charge",
    "isBuilt": false,
    "needs": [],
    "settings": {
      "type": "object",
      "properties": {
        "mode": {
          "default": "managed",
          "title": "What people see",
          "description": "managed asks only when it is not sure.",
          "type": "string",
          "enum": [
            "managed",
            "non-interactive",
            "invisible"
          ]
        },
        "protect": {
          "default": [],
          "title": "What is protected",
          "description": "auth.signUp, auth.signIn, auth.reset, events, or routes of the app.",
          "maxItems": 50,
          "type": "array",
          "items": {
            "type": "string",
            "pattern": "^(auth\\.(signUp|signIn|reset)|events|\\/\\S{0,199})$"
          }
        },
        "limits": {
          "default": [],
          "title": "Limits",
          "description": "How often one address or one person may do something in 10 or 60 seconds.",
          "maxItems": 10,
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string",
                "pattern": "^[a-z][A-Za-z0-9-]{0,39}$"
              },
              "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100000
              },
              "period": {
                "anyOf": [
                  {
                    "type": "number",
                    "const": 10
                  },
                  {
                    "type": "number",
                    "const": 60
                  }
                ]
              },
              "per": {
                "type": "string",
                "enum": [
                  "ip",
                  "user"
                ]
              }
            },
            "required": [
              "name",
              "limit",
              "period",
              "per"
            ]
          }
        }
      }
    },
    "secrets": []
  },
  "meter": {
    "title": "Usage limits",
    "cost": "Durable Object requests and storage",
    "isBuilt": false,
    "needs": [
      "auth"
    ],
    "settings": {
      "type": "object",
      "properties": {
        "limits": {
          "default": {},
          "title": "Limits",
          "description": "Other than the app declares, by the key of the meter; they hold at once.",
          "type": "object",
          "propertyNames": {
            "type": "string",
            "pattern": "^[a-z][A-Za-z0-9-]{0,59}$"
          },
          "additionalProperties": {
            "type": "number",
            "minimum": 0
          }
        }
      }
    },
    "secrets": []
  }
} as const satisfies Record<
  string,
  CapabilityInfo
>

export type CapabilityKey = keyof typeof CAPABILITIES
