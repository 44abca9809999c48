"""Serve I Hate Money with its demo project on the same HTTP server as ours.

Its packages must come first on the path. The address that admits a phone is written to the
folder.
"""

import logging
import sys
import warnings
from pathlib import Path

from ihatemoney.models import Project
from ihatemoney.run import create_app

from bench.bare import serve


class Settings:
    """Its settings."""

    SECRET_KEY = "only for the bench"
    SQLALCHEMY_DATABASE_URI = f"sqlite:///{Path(sys.argv[1], 'money.sqlite').resolve()}"
    SESSION_COOKIE_SECURE = False


def main() -> None:
    """Serve it."""
    logging.disable(logging.INFO)
    warnings.simplefilter("ignore")
    app = create_app(Settings)
    with app.test_request_context():
        project = Project.create_demo_project()
        token = project.generate_token()
        Path(sys.argv[1], "invited").write_text(f"/{project.id}/join/{token}")
    serve(app)


if __name__ == "__main__":
    main()
