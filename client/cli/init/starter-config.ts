// The troupe.yaml that `troupe init` writes. It loads as it is, and each commented key does too.

export const STARTER_CONFIG = `# The configuration of Troupe. Every key may be left out; the values in comments show what is possible.
# After a change: troupe reload. To check it: troupe doctor.

# http: 127.0.0.1:7421      # MCP by URL, REST and metrics must be at this address; else any free port does

roles:
  # A session begins in the first role.
  visitor: {}
  # visitor:
  #   startUrl: https://shop.example/

  # A role with a login. Its file is a secret: it stays out of the repository.
  # customer:
  #   startUrl: https://shop.example/account
  #   auth: auth/customer.json            # made by: troupe login customer
  #   authRequired: true                  # no login, no role
  #   allow: ["https://*.shop.example"]   # the only origins that its pages may have
  #   isolation: session                  # each session has cookies and storage of its own; or: role
`;
